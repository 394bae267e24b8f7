// States for each effect of a fault which kinds of operations it applies to and how it changes a request. contract/faults.ts
// defines the JSON of the effects. meet-socket.ts applies the effects on sockets.
import type { FaultEffect } from '../../contract/faults.ts'
import type { FaultOutcome } from '../../core/fault.ts'
import type { ErrorSource, FaultedRequest } from './errors/error-source.ts'

/** A `write` is a request that stores bytes. A `join` and a `delivery` happen on an open socket. */
export type OperationKind = 'request' | 'write' | 'handshake' | 'join' | 'delivery'

/**
 * How an effect changes a request. Delays of all effects with `delays` add up. The oldest armed effect with `decides` sets the
 * outcome. Effects with `nothing` apply only to sockets.
 */
type OnRequest = 'delays' | 'decides' | 'nothing'

interface EffectRules {
  readonly happensTo: readonly OperationKind[]
  readonly onRequest: OnRequest
}

export const EFFECTS: Readonly<Record<FaultEffect['kind'], EffectRules>> = {
  error: { happensTo: ['request', 'write', 'handshake', 'join'], onRequest: 'decides' },
  latency: { happensTo: ['request', 'write', 'handshake'], onRequest: 'delays' },
  answer_lost: { happensTo: ['request', 'write'], onRequest: 'decides' },
  connection_dropped: { happensTo: ['request', 'write', 'handshake'], onRequest: 'decides' },
  disk_full: { happensTo: ['write'], onRequest: 'decides' },
  realtime_disconnect: { happensTo: ['handshake'], onRequest: 'nothing' },
  realtime_delay: { happensTo: ['delivery'], onRequest: 'nothing' },
  realtime_duplicate: { happensTo: ['delivery'], onRequest: 'nothing' },
}

/** Returns the effects that apply to `kind`, in the order of the table. */
export function effectsOn(kind: OperationKind): readonly FaultEffect['kind'][] {
  return (Object.keys(EFFECTS) as FaultEffect['kind'][]).filter((effect) =>
    EFFECTS[effect].happensTo.includes(kind),
  )
}

/** Returns the outcome of a request when the effect decides it, else `undefined`. */
export function outcomeOf(
  effect: FaultEffect,
  source: ErrorSource,
  request: FaultedRequest,
): FaultOutcome | undefined {
  switch (effect.kind) {
    case 'error':
      return source.make(effect.code, request)
    case 'answer_lost':
    case 'connection_dropped':
      return { kind: effect.kind }
    case 'disk_full':
      return { kind: 'situation', situation: 'disk_full' }
    case 'latency':
    case 'realtime_disconnect':
    case 'realtime_delay':
    case 'realtime_duplicate':
      return undefined
  }
}
