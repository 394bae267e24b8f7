// Interface of injected faults, implemented by emulator/insight/faults. The edge calls it for requests and handshakes, realtime for
// sockets and frames. While no fault is armed, each request only reads one boolean.
import type { HeaderReader } from './headers.ts'
import type { JsonObject } from './json.ts'
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'
import type { Situation } from './situations.ts'

/**
 * The service entry point of a request. Token exchanges are separate, because they have their own error format. `socket` is a
 * WebSocket handshake.
 */
export type FaultDoor =
  | 'control'
  | 'auth'
  | 'data'
  | 'storage'
  | 'storageToken'
  | 'realtime'
  | 'realtimeToken'
  | 'socket'

/** A request, before it reaches a service. */
export interface FacedRequest {
  readonly requestId: string
  readonly door: FaultDoor
  readonly method: string
  /** Path without the query, as the service will receive it. */
  readonly path: string
  /** Path and query as received. */
  readonly target: string
  readonly headers: HeaderReader
}

/** Effect of a fault on a request, apart from a delay. */
export type FaultOutcome =
  /** Error that the edge throws instead of calling the service. The service's own renderer creates the body of the error. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** The response to a refused WebSocket handshake. */
  | { readonly kind: 'refusal'; readonly rendered: RenderedError }
  /** The service handles the request in a simulated situation, such as a full disk. */
  | { readonly kind: 'situation'; readonly situation: Situation }
  | { readonly kind: 'answer_lost' }
  | { readonly kind: 'connection_dropped' }

export interface MetFault {
  /** Id of the fault that decided the outcome, for the journal. */
  readonly faultId: string
  /**
   * Unverified identity of the request, for the journal. The fault returns the identity, because the request may never reach a
   * service.
   */
  readonly claimed: Pick<RequestFacts, 'schemaName' | 'role' | 'subject'>
  /** Wall-clock milliseconds to wait before the service starts. */
  readonly delayMillis: number
  /** Absent when the fault only delays the request. */
  readonly outcome?: FaultOutcome
}

export interface RequestFaults {
  /** True while any fault for requests is armed. */
  readonly isArmed: boolean
  /** Applies the armed faults to a request and counts each as fired; `undefined` when none applies. */
  meet(request: FacedRequest): MetFault | undefined
}

/** Identity of a socket or channel. */
export interface FacedBearer {
  readonly schemaName: string
  readonly role: string
  readonly subject: string
  readonly claims: JsonObject
}

export interface FrameFault {
  /** Delay of the frame in wall-clock milliseconds. */
  readonly delayMillis: number
  /** Number of times to send the frame; 1 unless the fault repeats frames. */
  readonly copies: number
}

export interface JoinRefusal {
  /** `<Code>: <text>`, the reason in the reply. */
  readonly reason: string
  readonly endsSocket: boolean
}

/** Faults of open sockets. Each method counts the fault as fired when it returns anything but `undefined`. */
export interface SocketFaults {
  /** True while any fault for sockets is armed. */
  readonly isArmed: boolean
  /** Returns the id of the fault that ends this socket, if any. */
  disconnect(bearer: FacedBearer, requestId?: string): string | undefined
  /** Returns the delay and number of copies for one frame of a channel. */
  frame(bearer: FacedBearer): FrameFault | undefined
  refuseJoin(bearer: FacedBearer, channelName: string): JoinRefusal | undefined
  /** Calls the listener when a fault is armed, so that the fault also applies to open sockets. */
  onArmed(listener: () => void): void
}

/** The implementation for emulators without faults. */
export const NO_SOCKET_FAULTS: SocketFaults = {
  isArmed: false,
  disconnect: () => undefined,
  frame: () => undefined,
  refuseJoin: () => undefined,
  onArmed: () => {},
}
