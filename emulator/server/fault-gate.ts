// Applies injected faults to requests, after routing and before the service runs.

import type { Clock } from '../core/clock.ts'
import type { FacedRequest, FaultDoor, RequestFaults } from '../core/fault.ts'
import type { RequestFacts } from '../core/observation.ts'
import type { Reply } from '../core/plain-http.ts'
import type { RenderedError } from '../core/request-env.ts'
import type { Situations } from '../core/situations.ts'
import { type MountName, routeOf } from './hosts.ts'

export interface FaultGateDeps {
  readonly requests: RequestFaults
  readonly situations: Situations
  readonly wallClock: Clock
}

/** Faults can target every mount except the emulator's own API and the public keys. */
export function doorOf(mount: MountName): FaultDoor | undefined {
  return mount === 'emulator' || mount === 'wellKnown' ? undefined : mount
}

/** Returns the service and the path that a request to the address reaches; `undefined` for one that no fault can target. */
export function facingOf({ host, pathname }: URL): Pick<FacedRequest, 'door' | 'path'> | undefined {
  // The upgrader serves WebSocket handshakes, so they do not take the route of an ordinary request.
  if (/^\/(realtime\/v1|socket)\/websocket$/.test(pathname))
    return { door: 'socket', path: pathname }
  const route = routeOf(host, pathname)
  const door = route.kind === 'mount' ? doorOf(route.mount) : undefined
  return route.kind === 'mount' && door !== undefined ? { door, path: route.path } : undefined
}

/** Status in the journal for a request whose connection ended before the service ran. */
const NO_ANSWER = 444

/**
 * Thrown when a fault closes the connection without a response. A caller without a socket gets the same error as `fetch`
 * throws when the server closes the connection: a TypeError with a cause.
 */
export class ConnectionLost extends TypeError {
  /** The error that the journal records for a lost connection. */
  readonly told: RenderedError

  constructor(code: 'connection_dropped' | 'answer_lost', faultId: string) {
    const cause = Object.assign(new Error('other side closed'), { code: 'ECONNRESET' })
    super('fetch failed', { cause })
    const message =
      code === 'answer_lost'
        ? `The request was processed, but fault ${faultId} closed the connection before the response.`
        : `Fault ${faultId} closed the connection before the request was processed.`
    this.told = { status: NO_ANSWER, headers: {}, code, message }
  }
}

/** Result of the fault gate for one request, which the edge reads. */
export interface Passage {
  readonly facts: RequestFacts
  /** Set when the edge must not send the response. */
  lost: ConnectionLost | undefined
}

/** Runs `work` with the faults of the request. @throws the error of a fault; {ConnectionLost} */
export async function throughFaults(
  { requests, situations, wallClock }: FaultGateDeps,
  request: FacedRequest,
  passage: Passage,
  work: () => Reply | Promise<Reply>,
): Promise<Reply> {
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
