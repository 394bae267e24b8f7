// Saves, restores, compares and resets the platform's state, one operation at a time, while no request is running. Reports each
// operation to the observers.

import type { FaultOrder } from '../../contract/faults.ts'
import type {
  ResetAnswer,
  Snapshot,
  SnapshotDiff,
  SnapshotOrder,
} from '../../contract/snapshots.ts'
import { createBackground } from '../../core/background.ts'
import type { Clock } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import type { Observer } from '../../core/observation.ts'
import type { PlatformClock } from '../../core/platform-clock.ts'
import { toIso } from '../../core/time.ts'
import type { EngineAfterRestore, EngineStates } from '../../database/engine-states.ts'
import { createRowReader } from '../../database/row-reader.ts'
import type { WriteVersions } from '../../database/write-versions.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import type { FaultBook } from '../../insight/faults/fault-book.ts'
import type { Journal } from '../../insight/journal/journal.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { createTrafficGate, type TrafficGate } from '../../server/traffic-gate.ts'
import { compareSnapshots, explainDifferences, findSnapshot } from './compare-snapshots.ts'
import { schemasOf } from './compare-states.ts'
import { presentMarks } from './history-marks.ts'
import { type KeptContents, keepContents } from './kept-contents.ts'
import type { PlatformStates } from './platform-states.ts'
import type { PresentState } from './readable-state.ts'
import { type Aside, type AsideOrder, saveAside } from './save-aside.ts'
import {
  folderBytes,
  openSnapshotFolder,
  type SnapshotFolder,
  type StateFolder,
} from './snapshot-folder.ts'
import type { SnapshotRecord } from './snapshot-record.ts'
import type { Snapshots, StateNames, StatesAround, Worked } from './snapshots.ts'
import { readContent } from './tenant-content.ts'

/** The parts of the platform that saving and restoring use. */
export interface SnapshotDeps extends PresentState, Pick<EngineStates, 'openSaved'> {
  readonly gate: TrafficGate
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly observe: Observer
  readonly projects: Pick<ProjectRegistry, 'listInState'>
  readonly writes: Pick<WriteVersions, 'of'>
  /** Names the requests of a comparison. */
  readonly journal: Pick<Journal, 'read'>
  /** Opens the platform's states. The current state becomes the baseline. */
  readonly openStates: () => PlatformStates
  /** Folder of the snapshots. */
  readonly snapshotRoot: string
  readonly faults: Pick<FaultBook, 'list' | 'disarmAll' | 'armFaults'>
  /** Clears the journal and the recorded requests. */
  readonly forgetPast: () => void
  /**
   * Reads the applied fixtures. The returned function drops everything and applies the fixtures again.
   * @throws {InspectorError} `conflict`
   */
  readonly readSeeds: () => Promise<() => Promise<void>>
}

interface SnapshotContext {
  readonly deps: SnapshotDeps
  readonly states: PlatformStates
  readonly folder: SnapshotFolder
  readonly contents: KeptContents
  /** Frees what the engine keeps for snapshots that no longer exist. Call it while no snapshot is being saved. Never rejects. */
  readonly freeOthers: () => Promise<unknown>
  /** Faults that were armed when the baseline was set. */
  baselineFaults: readonly FaultOrder[]
}

/** The snapshot service, with further methods for bundles and changes. */
export interface OpenedSnapshots extends Snapshots, StatesAround {
  /** Works like `saveAside` of save-aside.ts. */
  saveAside<Facts>(
    order: AsideOrder,
    fill: (folder: StateFolder) => Promise<Facts>,
  ): Promise<Aside<Facts>>
}

/** Creates the snapshot service. The current state becomes the baseline. */
export function openSnapshots(deps: SnapshotDeps): OpenedSnapshots {
  const states = deps.openStates()
  const folder = openSnapshotFolder(deps.snapshotRoot)
  const context: SnapshotContext = {
    deps,
    states,
    baselineFaults: ordersOf(deps.faults.list()),
    folder,
    contents: contentsOf(deps),
    freeOthers: freeOthers(deps, states, folder),
  }
  void context.freeOthers()
  return {
    list: () => folder.list().map(snapshotOf),
    save: (draft) => save(context, draft),
    restore: (name) => restore(context, name),
    remove: (name) => remove(context, name),
    compare: (name, other) => explainDifferences({ ...context, ...deps }, name, other),
    reset: async (to) =>
      to === 'fixture' ? replaceState(context, await deps.readSeeds()) : reset(context),
    saveAside: (order, fill) => saveAside({ folder, gate: deps.gate }, order, fill),
    around: (names, work, former) => around(context, names, work, former),
    goBack: (names, mayLose, onRestored) => goBack(context, names, mayLose, onRestored),
    setBaseline: () =>
      deps.gate.alone(async () => {
        await states.setBaseline()
        context.baselineFaults = ordersOf(deps.faults.list())
      }),
  }
}

function freeOthers(
  { observe }: Pick<SnapshotDeps, 'observe'>,
  states: Pick<PlatformStates, 'retain'>,
  folder: Pick<SnapshotFolder, 'folders'>,
): SnapshotContext['freeOthers'] {
  const background = createBackground('free deleted snapshots', observe)
  return () => background.runAsync(() => states.retain(folder.folders()))
}

function contentsOf({ engine, writes }: SnapshotDeps): KeptContents {
  const reader = createRowReader(engine)
  return keepContents(writes, (schemaName, maxBytes) =>
    readContent({ engine, reader }, schemaName, maxBytes),
  )
}

async function save(
  context: SnapshotContext,
  { name, note, replace }: SnapshotOrder,
): Promise<Snapshot> {
  const { contents, deps, folder, freeOthers: free } = context
  const { gate, observe, wallClock } = deps
  const startedAt = wallClock.now()
  if (replace !== true && folder.find(name) !== undefined)
    throw new InspectorError('conflict', `There is a snapshot ${name} already.`, {
      hint: 'Replace it ("replace": true, --replace), or give another name.',
    })
  await contents.prepare([...schemasOf(deps)])
  const record = await gate.alone(async () => {
    const added = await saveHeld(context, { name, note })
    await free()
    return added
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'saved', name, durationMillis })
  return snapshotOf(record)
}

/** Saves the state while the gate is closed. */
function saveHeld(
  { contents, deps, folder, states }: SnapshotContext,
  { name, note }: { readonly name: string; readonly note: string | undefined },
): Promise<SnapshotRecord> {
  const { clock, faults, projects } = deps
  return folder.add(async (into) => {
    const [savedAt, platformTime] = [deps.wallClock.now(), clock.now()]
    const history = await presentMarks(deps.engine, schemasOf(deps))
    const bytesOutside = await contents.during([...schemasOf(deps)], into, () => states.save(into))
    return {
      name,
      note: note ?? null,
      savedAt,
      platformTime,
      time: clock.time,
      faults: ordersOf(faults.list()),
      sizeBytes: folderBytes(into.path) + bytesOutside,
      tenants: activeTenants(projects),
      history,
    }
  })
}

async function around<Answer>(
  context: SnapshotContext,
  { after, before, notes }: StateNames,
  work: () => Promise<Worked<Answer>>,
  former: string | undefined,
): Promise<Answer> {
  const { contents, deps, folder, freeOthers: free } = context
  const { gate, observe, wallClock } = deps
  await contents.prepare([...schemasOf(deps)])
  const startedAt = wallClock.now()
  const { answer, hasChanged } = await gate.alone(async () => {
    await saveHeld(context, { name: before, note: notes.before })
    const worked = await work().catch(async (error: unknown) => {
      await restoreHeld(context, before)
      folder.remove(before)
      throw error
    })
    if (worked.hasChanged) await saveHeld(context, { name: after, note: notes.after })
    else folder.remove(before)
    if (worked.hasChanged && former !== undefined) folder.remove(former)
    await free()
    return worked
  })
  const durationMillis = wallClock.now() - startedAt
  if (hasChanged) observe({ kind: 'stateChanged', change: 'saved', name: before, durationMillis })
  return answer
}

async function goBack(
  context: SnapshotContext,
  { after, before }: StateNames,
  mayLose: (since: SnapshotDiff) => boolean,
  onRestored: () => void,
): Promise<{ readonly isRestored: boolean; readonly since: SnapshotDiff }> {
  const { deps, folder, freeOthers: free } = context
  const { gate, observe, wallClock } = deps
  const startedAt = wallClock.now()
  const { engine, since } = await gate.alone(async () => {
    const found = await compareSnapshots({ ...context, ...deps }, after, undefined)
    if (!mayLose(found)) return { since: found, engine: undefined }
    const restored = await restoreHeld(context, before)
    onRestored()
    folder.remove(after)
    await free()
    return { since: found, engine: restored.engine }
  })
  const durationMillis = wallClock.now() - startedAt
  if (engine !== undefined)
    observe({ kind: 'stateChanged', change: 'restored', name: before, engine, durationMillis })
  return { isRestored: engine !== undefined, since }
}

async function restore(context: SnapshotContext, name: string): Promise<Snapshot> {
  const { gate, observe, wallClock } = context.deps
  const startedAt = wallClock.now()
  const { engine, record } = await gate.alone(() => restoreHeld(context, name))
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'restored', name, engine, durationMillis })
  return snapshotOf(record)
}

/** Restores a snapshot while the gate is closed. @throws {InspectorError} `not_found` */
async function restoreHeld(
  { deps, folder, states }: SnapshotContext,
  name: string,
): Promise<{ readonly record: SnapshotRecord; readonly engine: EngineAfterRestore }> {
  const found = findSnapshot(folder, name)
  const engine = await states.load(found.folder, found.record.time)
  rearm(deps.faults, found.record.faults)
  return { record: found.record, engine }
}

async function remove(context: SnapshotContext, name: string): Promise<Snapshot> {
  const { gate, observe, wallClock } = context.deps
  const startedAt = wallClock.now()
  const { record } = await gate.alone(async () => {
    const found = findSnapshot(context.folder, name)
    context.folder.remove(name)
    await context.freeOthers()
    return found
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'deleted', name, durationMillis })
  return snapshotOf(record)
}

async function reset({ baselineFaults, deps, states }: SnapshotContext): Promise<ResetAnswer> {
  const { faults, forgetPast, gate, observe, projects, wallClock } = deps
  const startedAt = wallClock.now()
  const engine = await gate.alone(async () => {
    const way = await states.goBack()
    rearm(faults, baselineFaults)
    forgetPast()
    return way
  })
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'reset', engine, durationMillis })
  return { duration_ms: durationMillis, tenants_reset: activeTenants(projects) }
}

// Runs `work`, which replaces the state, while no request runs. Makes the new state the baseline. When `work` fails, restores
// the earlier state.
async function replaceState(
  context: SnapshotContext,
  work: () => Promise<void>,
): Promise<ResetAnswer> {
  const { deps, folder, states } = context
  const { clock, faults, forgetPast, gate, observe, projects, wallClock } = deps
  const startedAt = wallClock.now()
  const aside = folder.addWayBack()
  try {
    await gate.alone(async () => {
      const { time } = clock
      await states.save(aside.folder)
      try {
        await work()
      } catch (error) {
        await states.load(aside.folder, time)
        throw error
      }
      forgetPast()
      await states.setBaseline()
      context.baselineFaults = ordersOf(faults.list())
    })
  } finally {
    aside.remove()
    await context.freeOthers()
  }
  const durationMillis = wallClock.now() - startedAt
  observe({ kind: 'stateChanged', change: 'reset', engine: 'running', durationMillis })
  return { duration_ms: durationMillis, tenants_reset: activeTenants(projects) }
}

/** Counts the tenants that exist. */
export function activeTenants(projects: SnapshotDeps['projects']): number {
  return projects.listInState('active').filter(({ kind }) => kind === 'tenant').length
}

/** Creates the gate that holds requests while the state is saved or replaced. */
export function openStateGate(wallClock: Clock): TrafficGate {
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

function rearm(faults: SnapshotDeps['faults'], orders: readonly FaultOrder[]): void {
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
