// Failures on order, as those who meet them see them: the edge for requests and handshakes, realtime for its sockets and
// frames. inspector/faults/ is the other side. While nothing is armed, each asks one boolean.
import type { JsonObject } from './json.ts'
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'
import type { Situation } from './situations.ts'

/** Where a request comes in; the token exchanges have their own dialect, and `socket` is a handshake. */
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

/** What happens to a request, beside being late. */
export type FaultOutcome =
  /** Thrown in the service's stead, so that its own renderer makes the body. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** A handshake's refusal. */
  | { readonly kind: 'refusal'; readonly rendered: RenderedError }
  /** The service works, and meets a situation on its way. */
  | { readonly kind: 'situation'; readonly situation: Situation }
  | { readonly kind: 'answer_lost' }
  | { readonly kind: 'connection_dropped' }

export interface MetFault {
  /** The fault that decides; the journal names it. */
  readonly faultId: string
  /** Whose request it claims to be, for the journal: no service may come to say so. */
  readonly claimed: Pick<RequestFacts, 'schemaName' | 'role' | 'subject'>
  /** Wall milliseconds before anything is done. */
  readonly delayMillis: number
  /** Absent, the request is only late. */
  readonly outcome?: FaultOutcome
}

export interface RequestFaults {
  /** Whether any fault for requests is armed. */
  readonly isArmed: boolean
  /** The faults that fire for a request, counted as fired. */
  meet(request: FacedRequest): MetFault | undefined
}

/** Whose socket or channel it is. */
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

/** What sockets meet once they are open; each answer counts as a firing. */
export interface SocketFaults {
  /** Whether any fault for sockets is armed. */
  readonly isArmed: boolean
  /** The fault that ends the socket, if one does. */
  disconnect(bearer: FacedBearer, requestId?: string): string | undefined
  /** What becomes of one frame that a channel delivers. */
  frame(bearer: FacedBearer): FrameFault | undefined
  refuseJoin(bearer: FacedBearer, channelName: string): JoinRefusal | undefined
  /** Calls back when a fault was armed, for sockets that are open already. */
  onArmed(listener: () => void): void
}

/** For whoever has none. */
export const NO_SOCKET_FAULTS: SocketFaults = {
  isArmed: false,
  disconnect: () => undefined,
  frame: () => undefined,
  refuseJoin: () => undefined,
  onArmed: () => {},
}
