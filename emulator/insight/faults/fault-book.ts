// Keeps the armed faults of one emulator in memory. A restart disarms all of them.
import type { ArmedFault, FaultHistory, FaultOrder, FaultPreview } from '../../contract/faults.ts'
import type { Clock } from '../../core/clock.ts'
import type { RequestFaults, SocketFaults } from '../../core/fault.ts'
import type { IdSource } from '../../core/id-source.ts'
import { type EpochMillis, toIso } from '../../core/time.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { Armed, type Firing } from './armed-fault.ts'
import { requireReachable } from './fault-order.ts'
import { meetRequests } from './meet-request.ts'
import { socketFaults } from './meet-socket.ts'
import { type PastRequest, previewFault } from './preview-fault.ts'
import type { RequestProjects } from './request-projects.ts'

export interface FaultBook {
  /**
   * Arms all faults, or none when one is invalid. Returns them in the given order.
   * @throws {InspectorError} `invalid_request`, `conflict`, `not_found` for an unknown project
   */
  armFaults(orders: readonly FaultOrder[]): readonly ArmedFault[]
  /** Lists the armed faults, newest first. */
  list(): readonly ArmedFault[]
  /** Finds a fault that is armed or that ended recently. */
  find(id: string): ArmedFault | undefined
  /** Disarms the fault and returns its last state. @throws {InspectorError} `not_found` */
  disarm(id: string): ArmedFault
  /** Lists firings, newest first, also those of ended faults. */
  history(limit: number): FaultHistory
  /** Forgets the firings, because the requests that they name no longer exist. */
  forgetHistory(): void
  /** Finds what a fault would apply to. @throws {InspectorError} as `armFaults` */
  preview(order: FaultOrder, past: readonly PastRequest[]): FaultPreview
  /** Disarms all faults and returns their number. */
  disarmAll(): number
  /** Calls the listener with the number of armed faults after a fault was armed, disarmed or fired. */
  onChange(listener: (armed: number) => void): void
  readonly requests: RequestFaults
  readonly sockets: SocketFaults
}

export interface FaultBookDeps {
  readonly ids: IdSource
  readonly clock: Clock
  readonly requestProjects: RequestProjects
  /** Returns a project's schema name. Accepts its slug, schema name or id. @throws {InspectorError} `not_found` */
  readonly schemaNameOf: (project: string) => string
}

const MAX_ARMED = 1_000
/** Number of ended faults to keep, so that explanations of failed requests can name them. */
const MAX_ENDED = 200

export function createFaultBook(deps: FaultBookDeps): FaultBook {
  const { ids, clock } = deps
  let armed: readonly Armed[] = []
  const onChange: ((armed: number) => void)[] = []
  const onArmed: (() => void)[] = []

  const ended: Armed[] = []
  const log = createFiringLog()
  const notify = (): void => {
    for (const listener of onChange) listener(armed.length)
  }

  const replace = (next: readonly Armed[]): void => {
    for (const fault of armed) if (!next.includes(fault)) ended.unshift(fault)
    ended.length = Math.min(ended.length, MAX_ENDED)
    armed = next
    notify()
  }
  const firing: Firing = {
    armed: () => armed,
    fires: (fault, target, requestId) => {
      if (!fault.fits(target) || !fault.draw(ids)) return false
      fault.fire(requestId)
      log.add({
        at: clock.now(),
        fault,
        operation: target.operation.operation,
        schemaName: target.projects()[0],
        requestId,
      })
      if (fault.isSpent) replace(armed.filter((other) => other !== fault))
      else notify()
      return true
    },
  }
  return {
    armFaults: (orders) => {
      requireRoom(armed.length + orders.length)
      const added = orders.map((order) => faultOf(deps, order, ids.id('flt_')))
      replace([...armed, ...added])
      for (const listener of onArmed) listener()
      return added.map((fault) => fault.shown())
    },
    list: () => armed.map((fault) => fault.shown()).toReversed(),
    find: (id) => [...armed, ...ended].find((fault) => fault.id === id)?.shown(),
    disarm: (id) => {
      const fault = armed.find((each) => each.id === id)
      if (fault === undefined)
        throw new InspectorError('not_found', `No fault ${id} is armed.`, {
          hint: 'The fault may have fired as many times as its `count` allows. GET /_emulator/v1/faults lists the armed faults.',
        })
      replace(armed.filter((other) => other !== fault))
      return fault.shown()
    },
    history: (limit) => log.list(limit),
    forgetHistory: () => log.clear(),
    preview: (order, past) =>
      previewFault(faultOf(deps, order, 'preview'), past, deps.requestProjects),
    disarmAll: () => {
      const count = armed.length
      replace([])
      return count
    },
    onChange: (listener) => {
      onChange.push(listener)
    },
    requests: {
      get isArmed() {
        return armed.length > 0
      },
      meet: meetRequests(firing, deps.requestProjects, ids),
    },
    sockets: socketFaults(firing, (listener) => onArmed.push(listener)),
  }
}

/** @throws {InspectorError} `invalid_request`, `not_found` */
function faultOf({ clock, schemaNameOf }: FaultBookDeps, order: FaultOrder, id: string): Armed {
  requireReachable(order)
  const { project } = order.scope
  const schemaName = project === undefined ? undefined : schemaNameOf(project)
  return new Armed(id, order, { armedAt: clock.now(), schemaName })
}

function requireRoom(count: number): void {
  if (count > MAX_ARMED)
    throw new InspectorError(
      'conflict',
      `The emulator can have at most ${MAX_ARMED} armed faults.`,
      { hint: 'Disarm faults that you no longer need, then arm again.' },
    )
}

// Keeps the newest firings of faults in memory. The fault book adds each firing.

interface LoggedFiring {
  /** Platform time. */
  readonly at: EpochMillis
  readonly fault: Armed
  readonly operation: string
  readonly schemaName: string | undefined
  readonly requestId: string | undefined
}

interface FiringLog {
  add(firing: LoggedFiring): void
  /** Newest first. */
  list(limit: number): FaultHistory
  clear(): void
}

const CAPACITY = 500

function createFiringLog(): FiringLog {
  let firings: readonly (LoggedFiring & { readonly number: number })[] = []
  let added = 0
  return {
    add: (firing) => {
      added += 1
      firings = [{ ...firing, number: added }, ...firings.slice(0, CAPACITY - 1)]
    },
    list: (limit) => {
      const newest = firings.slice(0, limit)
      return {
        firings: newest.map(({ at, fault, number, operation, requestId, schemaName }) => ({
          number,
          at: toIso(at),
          fault_id: fault.id,
          operation,
          schema_name: schemaName ?? null,
          request_id: requestId ?? null,
        })),
        faults: [...new Set(newest.map(({ fault }) => fault))].map((fault) => fault.shown()),
      }
    },
    clear: () => {
      firings = []
    },
  }
}
