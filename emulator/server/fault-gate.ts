// Where requests meet the failures that were ordered for them: after the route is known, before the service is asked.
import type { Clock } from '../core/clock.ts'
import type { FacedRequest, FaultDoor, RequestFaults } from '../core/fault.ts'
import type { RequestFacts } from '../core/observation.ts'
import type { RenderedError } from '../core/request-env.ts'
import type { Situations } from '../core/situations.ts'
import type { MountName } from './hosts.ts'

export interface FaultGateDeps {
  readonly requests: RequestFaults
  readonly situations: Situations
  readonly wallClock: Clock
}

/** Of the mounts that no fault reaches there is none. */
export const DOOR_OF: Readonly<Partial<Record<MountName, FaultDoor>>> = {
  control: 'control',
  auth: 'auth',
  data: 'data',
  storage: 'storage',
  storageToken: 'storageToken',
  realtime: 'realtime',
  realtimeToken: 'realtimeToken',
}

/** The journal's status of a request whose connection ended before any work was done. */
const NO_ANSWER = 444

/**
 * The connection ends without an answer. Whoever asked without a socket meets what `fetch` throws when the other side hangs
 * up: a TypeError with a cause.
 */
export class ConnectionLost extends TypeError {
  /** What the journal says of it. */
  readonly told: RenderedError

  constructor(code: 'connection_dropped' | 'answer_lost', faultId: string) {
    const cause = Object.assign(new Error('other side closed'), { code: 'ECONNRESET' })
    super('fetch failed', { cause })
    const message =
      code === 'answer_lost'
        ? `The work was done, and its answer was lost on order of fault ${faultId}.`
        : `The connection was ended before any work was done, on order of fault ${faultId}.`
    this.told = { status: NO_ANSWER, headers: {}, code, message }
  }
}

/** What the gate leaves for the edge to do. */
export interface Passage {
  readonly facts: RequestFacts
  /** Set when the answer must not be sent, whatever it is. */
  lost: ConnectionLost | undefined
}

/** Does `work` as the faults that meet the request will have it. @throws what a fault orders; {ConnectionLost} */
export async function throughFaults(
  { requests, situations, wallClock }: FaultGateDeps,
  request: FacedRequest,
  passage: Passage,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  const met = requests.meet(request)
  if (met === undefined) return work()
  Object.assign(passage.facts, met.claimed, { fault: met.faultId })
  if (met.delayMillis > 0) await pause(wallClock, met.delayMillis)
  const { outcome } = met
  switch (outcome?.kind) {
    case 'error':
      throw outcome.error
    case 'situation':
      return situations.run(outcome.situation, work)
    case 'connection_dropped':
      passage.lost = new ConnectionLost('connection_dropped', met.faultId)
      throw passage.lost
    case 'answer_lost':
      passage.lost = new ConnectionLost('answer_lost', met.faultId)
      return work()
    case 'refusal':
    case undefined:
      return work()
  }
}

/** Resolves after `millis` of wall time. */
export function pause(wallClock: Clock, millis: number): Promise<void> {
  return new Promise((resolve) => {
    wallClock.after(millis, resolve)
  })
}
