// The effects of faults: which kinds of operations each effect applies to, and how it changes a request. contract/faults.ts
// defines their JSON; meet-socket.ts applies the effects on sockets.
import type { FaultEffect } from '../contract/faults.ts'
import type { FaultOutcome } from '../core/fault.ts'
import type { ErrorSource, FaultedRequest } from './errors/error-source.ts'

/** `write` is a request that stores bytes; `join` and `delivery` happen on an open socket. */
export type OperationKind = 'request' | 'write' | 'handshake' | 'join' | 'delivery'

/** `delays`: all delays add up. `decides`: the oldest armed effect decides the outcome. `nothing`: applies only to sockets. */
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

/** The effects that apply to `kind`, in the order of the table. */
export function effectsOn(kind: OperationKind): readonly FaultEffect['kind'][] {
  return (Object.keys(EFFECTS) as FaultEffect['kind'][]).filter((effect) =>
    EFFECTS[effect].happensTo.includes(kind),
  )
}

/** The outcome of a request under an effect that decides it; `undefined` for other effects. */
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
