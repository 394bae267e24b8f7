// Fills the port of snapshots (inspector/snapshots/snapshots.ts): names, one at a time, no request under way, and word of it
// to whoever watches.

import { InspectorError } from '../../api-kit/errors.ts'
import type { FaultOrder } from '../../contract/faults.ts'
import type { ResetAnswer, Snapshot } from '../../contract/snapshots.ts'
import type { ControlDeps } from '../../control/deps.ts'
import { finishErasureLater } from '../../control/projects/erase-project.ts'
import { toIso } from '../../core/time.ts'
import type { FaultBook } from '../../faults/fault-book.ts'
import { createTrafficGate, type TrafficGate } from '../../server/traffic-gate.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { Foundation } from '../open-foundation.ts'
import { compareStates } from './compare-states.ts'
import { folderBytes } from './folder-bytes.ts'
import { keepLocalKeys } from './keep-local-keys.ts'
import { openPresentState, openSavedState } from './readable-state.ts'
import { openSnapshotFolder, type SnapshotRecord } from './snapshot-folder.ts'

export interface SnapshotParts {
  readonly gate: TrafficGate
  readonly control: ControlDeps
  readonly faults: Pick<FaultBook, 'list' | 'disarmAll' | 'armFaults'>
  /** Forgets what the inspector kept of the time before a reset. */
  readonly forgetPast: () => void
}

/** Opens them; what is there now is the baseline. */
export function openSnapshots(foundation: Foundation, parts: SnapshotParts): Snapshots {
  const { clock, wallClock, observe, stores } = foundation
  const { gate, control, faults, forgetPast } = parts
  foundation.lifecycle.listen({
    stateReplaced: () => {
      keepLocalKeys(foundation)
      for (const project of stores.projects.listInState('purging'))
        finishErasureLater(control, project)
    },
  })
  const states = foundation.openStates()
  let baselineFaults = ordersOf(faults.list())
  const folder = openSnapshotFolder(foundation.snapshotRoot)

  function find(name: string) {
    const found = folder.find(name)
    if (found === undefined)
      throw new InspectorError('not_found', `There is no snapshot ${name}.`, {
        hint: 'See what there is with GET /_emulator/v1/snapshots or "tenantry snapshot list".',
      })
    return found
  }

  return {
    list: () => folder.list().map(snapshotOf),
    save: async ({ name, note, replace }) => {
      const startedAt = wallClock.now()
      if (replace !== true && folder.find(name) !== undefined)
        throw new InspectorError('conflict', `There is a snapshot ${name} already.`, {
          hint: 'Replace it ("replace": true, --replace), or give another name.',
        })
      const record = await gate.alone(() =>
        folder.add(async (into) => {
          const platformTime = clock.now()
          await states.save(into)
          return {
            name,
            note: note ?? null,
            savedAt: startedAt,
            platformTime,
            time: clock.time,
            faults: ordersOf(faults.list()),
            sizeBytes: folderBytes(into.path),
            tenants: stores.projects.listInState('active').filter(({ kind }) => kind === 'tenant')
              .length,
          }
        }),
      )
      observe({
        kind: 'stateChanged',
        change: 'saved',
        name,
        durationMillis: wallClock.now() - startedAt,
      })
      return snapshotOf(record)
    },
    restore: async (name) => {
      const startedAt = wallClock.now()
      const { record, engine } = await gate.alone(async () => {
        const found = find(name)
        const way = await states.load(found.folder, found.record.time)
        rearm(faults, found.record.faults)
        return { record: found.record, engine: way }
      })
      const durationMillis = wallClock.now() - startedAt
      observe({ kind: 'stateChanged', change: 'restored', name, engine, durationMillis })
      return snapshotOf(record)
    },
    remove: async (name) => {
      const startedAt = wallClock.now()
      const { record } = await gate.alone(async () => {
        const found = find(name)
        folder.remove(name)
        return found
      })
      observe({
        kind: 'stateChanged',
        change: 'deleted',
        name,
        durationMillis: wallClock.now() - startedAt,
      })
      return snapshotOf(record)
    },
    compare: async (name, other) => {
      const before = await openSavedState(foundation, find(name).folder)
      try {
        const after =
          other === undefined
            ? openPresentState(foundation)
            : await openSavedState(foundation, find(other).folder)
        try {
          return await compareStates(before, after)
        } finally {
          await after.close()
        }
      } finally {
        await before.close()
      }
    },
    reset: async (): Promise<ResetAnswer> => {
      const startedAt = wallClock.now()
      const engine = await gate.alone(async () => {
        const way = await states.goBack()
        rearm(faults, baselineFaults)
        forgetPast()
        return way
      })
      const durationMillis = wallClock.now() - startedAt
      observe({ kind: 'stateChanged', change: 'reset', engine, durationMillis })
      const tenants = stores.projects.listInState('active').filter(({ kind }) => kind === 'tenant')
      return { duration_ms: durationMillis, tenants_reset: tenants.length }
    },
    setBaseline: () =>
      gate.alone(async () => {
        await states.setBaseline()
        baselineFaults = ordersOf(faults.list())
      }),
  }
}

/** The gate that everything waits at while the state is saved or replaced. */
export function openStateGate({ wallClock }: Pick<Foundation, 'wallClock'>): TrafficGate {
  return createTrafficGate(
    wallClock,
    (inside) =>
      new InspectorError('busy', `${inside} requests are under way and do not end.`, {
        hint: 'Nothing was changed. Wait for them, or end them, and try again.',
      }),
  )
}

// Oldest first, as they are armed. How often one had fired is not kept.
function ordersOf(armed: readonly FaultOrder[]): readonly FaultOrder[] {
  return armed.toReversed().map(({ scope, effect, count, probability }) => ({
    scope,
    effect,
    ...(count === undefined ? {} : { count }),
    ...(probability === undefined ? {} : { probability }),
  }))
}

function rearm(faults: SnapshotParts['faults'], orders: readonly FaultOrder[]): void {
  faults.disarmAll()
  if (orders.length > 0) faults.armFaults(orders)
}

function snapshotOf(record: SnapshotRecord): Snapshot {
  return {
    name: record.name,
    note: record.note,
    saved_at: toIso(record.savedAt),
    platform_time: toIso(record.platformTime),
    size_bytes: record.sizeBytes,
    tenants: record.tenants,
  }
}
