// Interface of injected faults, implemented by emulator/faults. The edge calls it for requests and handshakes, realtime for
// sockets and frames. While no fault is armed, each request only reads one boolean.
import type { JsonObject } from './json.ts'
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'
import type { Situation } from './situations.ts'

/** The mount of a request. Token exchanges have their own dialect, and `socket` is a handshake. */
export type FaultDoor =
  | 'control'
  | 'auth'
  | 'data'
  | 'storage'
  | 'storageToken'
  | 'realtime'
  | 'realtimeToken'
  | 'socket'

/** A request before any service has seen it. */
export interface FacedRequest {
  readonly requestId: string
  readonly door: FaultDoor
  readonly method: string
  /** As the service will see it, without the query. */
  readonly path: string
  /** Path and query as received. */
  readonly target: string
  readonly headers: Headers
}

/** What happens to a request, apart from a delay. */
export type FaultOutcome =
  /** Thrown in place of the service's work, so that its own renderer makes the body. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** The response that refuses a WebSocket handshake. */
  | { readonly kind: 'refusal'; readonly rendered: RenderedError }
  /** The service works in a situation, such as a full disk. */
  | { readonly kind: 'situation'; readonly situation: Situation }
  | { readonly kind: 'answer_lost' }
  | { readonly kind: 'connection_dropped' }

export interface MetFault {
  /** The fault that decides the outcome; the journal names it. */
  readonly faultId: string
  /** The identity that the request claims, for the journal: the service may never read it. */
  readonly claimed: Pick<RequestFacts, 'schemaName' | 'role' | 'subject'>
  /** Wall milliseconds before the work starts. */
  readonly delayMillis: number
  /** Absent when the request is only delayed. */
  readonly outcome?: FaultOutcome
}

export interface RequestFaults {
  /** Whether any fault for requests is armed. */
  readonly isArmed: boolean
  /** Applies the armed faults to a request and counts each as fired; `undefined` when none applies. */
  meet(request: FacedRequest): MetFault | undefined
}

/** The bearer of a socket or channel. */
export interface FacedBearer {
  readonly schemaName: string
  readonly role: string
  readonly subject: string
  readonly claims: JsonObject
}

export interface FrameFault {
  /** Wall milliseconds. */
  readonly delayMillis: number
  /** 1 unless it is repeated. */
  readonly copies: number
}

export interface JoinRefusal {
  /** `<Code>: <text>`, as the reply has it. */
  readonly reason: string
  readonly endsSocket: boolean
}

/** Faults of open sockets. Each answer other than `undefined` counts as a firing. */
export interface SocketFaults {
  /** Whether any fault for sockets is armed. */
  readonly isArmed: boolean
  /** The fault that ends the socket, if one does. */
  disconnect(bearer: FacedBearer, requestId?: string): string | undefined
  /** Delay and copies of one frame that a channel delivers. */
  frame(bearer: FacedBearer): FrameFault | undefined
  refuseJoin(bearer: FacedBearer, channelName: string): JoinRefusal | undefined
  /** Calls back when a fault was armed, for sockets that are open already. */
  onArmed(listener: () => void): void
}

/** When no faults exist. */
export const NO_SOCKET_FAULTS: SocketFaults = {
  isArmed: false,
  disconnect: () => undefined,
  frame: () => undefined,
  refuseJoin: () => undefined,
  onArmed: () => {},
}
