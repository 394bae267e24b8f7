// Saves, restores, compares and resets the platform's state, one operation at a time, while no request is running. Reports each
// operation to the observers.

import type { FaultOrder } from '../../contract/faults.ts'
import type { ResetAnswer, Snapshot, SnapshotOrder } from '../../contract/snapshots.ts'
import { createBackground } from '../../core/background.ts'
import { defined } from '../../core/defined.ts'
import { toIso } from '../../core/time.ts'
import { createRowReader } from '../../database/row-reader.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import type { FaultBook } from '../../insight/faults/fault-book.ts'
import { createTrafficGate, type TrafficGate } from '../../server/traffic-gate.ts'
import type { ControlDeps } from '../../services/control/deps.ts'
import { finishErasureLater } from '../../services/control/projects/erase-project.ts'
import type { Snapshots } from '../../workflow/snapshots/snapshots.ts'
import type { Foundation } from '../open-foundation.ts'
import { compareSnapshots, findSnapshot } from './compare-snapshots.ts'
import { schemasOf } from './compare-states.ts'
import { type KeptContents, keepContents } from './kept-contents.ts'
import type { PlatformStates } from './platform-states.ts'
import { type Aside, type AsideOrder, saveAside } from './save-aside.ts'
import {
  folderBytes,
  openSnapshotFolder,
  type SnapshotFolder,
  type StateFolder,
} from './snapshot-folder.ts'
import type { SnapshotRecord } from './snapshot-record.ts'
import { readContent } from './tenant-content.ts'

export interface SnapshotParts {
  readonly gate: TrafficGate
  readonly control: ControlDeps
  readonly faults: Pick<FaultBook, 'list' | 'disarmAll' | 'armFaults'>
  /** Clears the journal and the recorded requests. */
  readonly forgetPast: () => void
}

interface SnapshotContext {
  readonly foundation: Foundation
  readonly parts: SnapshotParts
  readonly states: PlatformStates
  readonly folder: SnapshotFolder
  readonly contents: KeptContents
  /** Frees what the engine keeps for snapshots that no longer exist. No snapshot may be being saved. Never rejects. */
  readonly freeOthers: () => Promise<unknown>
  /** Faults that were armed when the baseline was set. */
  baselineFaults: readonly FaultOrder[]
}

/** The snapshot service with what bundles use of it. */
export interface OpenedSnapshots extends Snapshots {
  /** As `saveAside` of save-aside.ts. */
  saveAside<Facts>(
    order: AsideOrder,
    fill: (folder: StateFolder) => Promise<Facts>,
  ): Promise<Aside<Facts>>
  /** Replaces the state while no request runs, and makes the result the baseline. After a failure, the state is as it was. */
  replaceState(work: () => Promise<void>): Promise<ResetAnswer>
}

/** Creates the snapshot service. The current state becomes the baseline. */
export function openSnapshots(foundation: Foundation, parts: SnapshotParts): OpenedSnapshots {
  foundation.lifecycle.listen({
    stateReplaced: () => {
      keepLocalKeys(foundation)
      for (const project of foundation.stores.projects.listInState('purging'))
        finishErasureLater(parts.control, project)
    },
  })
  const states = foundation.openStates()
  const folder = openSnapshotFolder(foundation.snapshotRoot)
  const context: SnapshotContext = {
    foundation,
    parts,
    states,
    baselineFaults: ordersOf(parts.faults.list()),
    folder,
    contents: contentsOf(foundation),
    freeOthers: freeOthers(foundation, states, folder),
  }
  void context.freeOthers()
  return {
    list: () => context.folder.list().map(snapshotOf),
    save: (draft) => save(context, draft),
    restore: (name) => restore(context, name),
    remove: (name) => remove(context, name),
    compare: (name, other) => compareSnapshots(context, name, other),
    reset: () => reset(context),
    replaceState: (work) => replaceState(context, work),
    saveAside: (order, fill) => saveAside(context, order, fill),
    setBaseline: () =>
      parts.gate.alone(async () => {
        await context.states.setBaseline()
        context.baselineFaults = ordersOf(parts.faults.list())
      }),
  }
}

function freeOthers(
  { observe }: Pick<Foundation, 'observe'>,
  states: Pick<PlatformStates, 'retain'>,
  folder: Pick<SnapshotFolder, 'folders'>,
): SnapshotContext['freeOthers'] {
  const background = createBackground('free deleted snapshots', observe)
  return () => background.runAsync(() => states.retain(folder.folders()))
}

function contentsOf({ engine, writes }: Foundation): KeptContents {
  const reader = createRowReader(engine)
  return keepContents(writes, (schemaName, maxBytes) =>
    readContent({ engine, reader }, schemaName, maxBytes),
  )
}

async function save(
  { contents, folder, foundation, freeOthers: free, parts, states }: SnapshotContext,
  { name, note, replace }: SnapshotOrder,
): Promise<Snapshot> {
  const { clock, observe, wallClock } = foundation
  const startedAt = wallClock.now()
  if (replace !== true && folder.find(name) !== undefined)
    throw new InspectorError('conflict', `There is a snapshot ${name} already.`, {
      hint: 'Replace it ("replace": true, --replace), or give another name.',
    })
  await contents.prepare([...schemasOf(foundation)])
  const record = await parts.gate.alone(async () => {
    const added = await folder.add(async (into) => {
      const platformTime = clock.now()
      const bytesOutside = await contents.during([...schemasOf(foundation)], into, () =>
        states.save(into),
      )
      return {
        name,
        note: note ?? null,
        savedAt: startedAt,
        platformTime,
        time: clock.time,
        faults: ordersOf(parts.faults.list()),
        sizeBytes: folderBytes(into.path) + bytesOutside,
        tenants: activeTenants(foundation),
      }
    })
    await free()
    return added
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'saved', name, durationMillis })
  return snapshotOf(record)
}

async function restore(context: SnapshotContext, name: string): Promise<Snapshot> {
  const { observe, wallClock } = context.foundation
  const { faults, gate } = context.parts
  const startedAt = wallClock.now()
  const { engine, record } = await gate.alone(async () => {
    const found = findSnapshot(context.folder, name)
    const way = await context.states.load(found.folder, found.record.time)
    rearm(faults, found.record.faults)
    return { record: found.record, engine: way }
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'restored', name, engine, durationMillis })
  return snapshotOf(record)
}

async function remove(context: SnapshotContext, name: string): Promise<Snapshot> {
  const { observe, wallClock } = context.foundation
  const startedAt = wallClock.now()
  const { record } = await context.parts.gate.alone(async () => {
    const found = findSnapshot(context.folder, name)
    context.folder.remove(name)
    await context.freeOthers()
    return found
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'deleted', name, durationMillis })
  return snapshotOf(record)
}

async function reset({
  baselineFaults,
  foundation,
  parts,
  states,
}: SnapshotContext): Promise<ResetAnswer> {
  const { observe, wallClock } = foundation
  const startedAt = wallClock.now()
  const engine = await parts.gate.alone(async () => {
    const way = await states.goBack()
    rearm(parts.faults, baselineFaults)
    parts.forgetPast()
    return way
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'reset', engine, durationMillis })
  return { duration_ms: durationMillis, tenants_reset: activeTenants(foundation) }
}

async function replaceState(
  context: SnapshotContext,
  work: () => Promise<void>,
): Promise<ResetAnswer> {
  const { folder, foundation, parts, states } = context
  const { clock, observe, wallClock } = foundation
  const startedAt = wallClock.now()
  const aside = folder.addWayBack()
  try {
    await parts.gate.alone(async () => {
      const { time } = clock
      await states.save(aside.folder)
      try {
        await work()
      } catch (error) {
        await states.load(aside.folder, time)
        throw error
      }
      parts.forgetPast()
      await states.setBaseline()
      context.baselineFaults = ordersOf(parts.faults.list())
    })
  } finally {
    aside.remove()
    await context.freeOthers()
  }
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'reset', engine: 'running', durationMillis })
  return { duration_ms: durationMillis, tenants_reset: activeTenants(foundation) }
}

/** Counts the tenants that exist. */
export function activeTenants({ stores }: Pick<Foundation, 'stores'>): number {
  return stores.projects.listInState('active').filter(({ kind }) => kind === 'tenant').length
}

/** Creates the gate that holds requests while the state is saved or replaced. */
export function openStateGate({ wallClock }: Foundation): TrafficGate {
  return createTrafficGate(
    wallClock,
    (inside) =>
      new InspectorError('busy', `${inside} requests are still running and do not end.`, {
        hint: 'Nothing was changed. Wait for them, or end them, and try again.',
      }),
  )
}

/** Returns the armed faults, oldest first, without their counts of firings. */
export function ordersOf(armed: readonly FaultOrder[]): readonly FaultOrder[] {
  return armed.toReversed().map(({ scope, effect, count, probability }) => ({
    scope,
    effect,
    ...defined({ count, probability }),
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

// Restores the developer's password and keys, so that those printed by the start stay valid in every state. An older snapshot
// can contain other hashes.
function keepLocalKeys({ stores, localKeys, developer }: Foundation): void {
  stores.transaction(() => {
    stores.owners.setPasswordHash(developer.id, developer.passwordHash)
    for (const { id } of stores.groups.listGroups(developer.id))
      stores.apiKeys.keepGroupKey(id, localKeys.groupKey(id))
    for (const { id, kind } of stores.projects.listInState('active'))
      if (kind === 'tenant') stores.apiKeys.keepManagementKey(id, localKeys.managementKey(id))
  })
}
