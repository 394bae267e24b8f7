// Opens what all services are built on: directory lock, clocks, journal, platform database, keys and the engine. If a step
// fails, it closes everything that was opened before.
import { join } from 'node:path'
import type { SchemaName } from '../core/names.ts'
import type { Observer } from '../core/observation.ts'
import { type ChangeFeed, createChangeFeed } from '../database/changes/change-feed.ts'
import type { ChangeSource } from '../database/changes/row-change.ts'
import { openTemporaryDir } from '../database/data-dir/temporary-dir.ts'
import type { Engine } from '../database/engine.ts'
import type { EngineStates } from '../database/engine-states.ts'
import { HistoryRecorder } from '../database/history/recorded-engine.ts'
import type { EngineRehearsals } from '../database/rehearsal.ts'
import type { SystemDb } from '../database/system-db/system-db.ts'
import { watchSchemaChanges } from '../database/tenant-schema/ddl-notice.ts'
import { countWrites, type WriteVersions } from '../database/write-versions.ts'
import { createMailbox, type Mailbox } from '../platform/messages/mailbox.ts'
import { STATE_REPLACED } from '../platform/projects/lifecycle.ts'
import {
  baselineFolder,
  findInterrupted,
  openPlatformStates,
  type PlatformStates,
} from '../workflow/snapshots/platform-states.ts'
import type { ResolvedConfig } from './config.ts'
import type { OnClose } from './engine/engine-plan.ts'
import { planEngine } from './engine/open-engine.ts'
import { type OpeningFacts, openRuntime, type Runtime } from './open-runtime.ts'
import { openStorageStores, type StorageStores } from './open-storage.ts'
import { openPlatformDb, openRecords, type PlatformRecords } from './records.ts'

/** All records in the platform's database and in the files beside it. */
export interface Records extends PlatformRecords {
  readonly db: SystemDb
  readonly storage: StorageStores
  readonly mailbox: Mailbox
}

/** The tenants' database. */
export interface TenantDatabase {
  readonly engine: Engine
  /** The same engine, without a recording of row changes. */
  readonly unrecorded: Engine
  /** Rehearsals on the same engine. A rehearsal changes nothing, so it causes no change events. */
  readonly rehearsals: EngineRehearsals
  /** Versions of the schemas' rows and structures. */
  readonly writes: Pick<WriteVersions, 'of' | 'onWrite'>
  /** Changes of tenants' rows. */
  readonly changes: ChangeSource
  /** Names of the project's tables whose changes are currently captured. */
  readonly capturedTables: (schemaName: SchemaName) => readonly string[]
}

/** Folders of the saved states. */
export interface StatePlaces {
  /** Opens the platform's states. Call once. The current state becomes the baseline. */
  readonly openStates: () => PlatformStates
  /** Folder of the snapshots. */
  readonly snapshotRoot: string
  /** Opens the engine's part of a saved state for reading. */
  readonly openSaved: EngineStates['openSaved']
}

/** Everything that services are built on. Each service takes the members it needs (`Pick`). */
export interface Foundation extends Runtime, Records, TenantDatabase, StatePlaces {
  /** Aborted when `close` begins. Background work ends then. */
  readonly closing: AbortSignal
  /** Writes all data to disk and unlocks the data directory. */
  close(): Promise<void>
}

/** @throws {EmulatorError} when the directory is locked, damaged or not writable */
export async function openFoundation(
  config: ResolvedConfig,
  observers: readonly Observer[],
  facts: OpeningFacts = {},
): Promise<Foundation> {
  const closers: (() => void | Promise<void>)[] = []
  const closing = new AbortController()
  // Runs every closing step even when one fails, so that the directory does not stay locked.
  const close = async (): Promise<void> => {
    closing.abort()
    const failures: unknown[] = []
    for (const step of closers.splice(0).reverse())
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failures[0]
  }
  try {
    const opened = await open({ config, observers, facts }, (step) => closers.push(step))
    return { ...opened, closing: closing.signal, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

const MEGABYTE_BYTES = 1 << 20

interface Opening {
  readonly config: ResolvedConfig
  readonly observers: readonly Observer[]
  readonly facts: OpeningFacts
}

async function open(
  { config, observers, facts }: Opening,
  onClose: OnClose,
): Promise<Omit<Foundation, 'close' | 'closing'>> {
  const { runtime, seed } = openRuntime(config, observers, facts, onClose)
  const { clock, dataDir, ids, observe, situations, wallClock } = runtime
  const root = dataDir ?? temporaryFolder(onClose)
  const { mark, start: startEngine } = await planEngine(runtime, root)
  const interrupted = dataDir === undefined ? undefined : findInterrupted(root, mark)
  const baseline = baselineFolder(root, wallClock.now())
  const started = await startEngine(
    { runtime, seed, baseline: baseline.postgres, preparedImage: facts.preparedImage },
    onClose,
  )
  // The engine takes longest to start and runs in its own thread. Meanwhile this thread opens the platform's database.
  if (dataDir !== undefined) interrupted?.replaceRecords(join(dataDir, 'platform.db'))
  const db = openPlatformDb(dataDir)
  onClose(() => db.close())
  const mailbox = createMailbox(db, { clock, wallClock, observe })
  onClose(() => mailbox.close())
  const records = await openRecords(db, config, { clock, ids, situations })
  const storage = openStorageStores(db, { dataDir, clock, ids, situations, observe })
  onClose(() => storage.close())
  records.lifecycle.listen({
    purge: (project) => {
      mailbox.clear(project.schemaName)
      return storage.eraseProject(project.schemaName)
    },
  })
  const raw = await started.opening
  interrupted?.finish(storage)
  const writes = countWrites(raw)
  const { engine, renew } = withHistory(writes.engine, runtime)
  const feed = await watchEngine(engine, runtime, records)
  const openStates = (): PlatformStates =>
    openPlatformStates({
      root,
      mark,
      baseline,
      engine: raw,
      db,
      storage,
      clock,
      ids,
      onReplaced: () => {
        records.revokedUsers.readAgain()
        writes.renew()
        renew()
        feed.forget(STATE_REPLACED)
        records.lifecycle.stateReplaced()
      },
    })
  return {
    ...runtime,
    ...records,
    db,
    mailbox,
    storage,
    engine,
    unrecorded: writes.engine,
    rehearsals: raw,
    writes,
    changes: feed.source,
    capturedTables: (schemaName) => feed.capturedTables(schemaName),
    openStates,
    snapshotRoot: join(root, 'snapshots'),
    openSaved: (folder) => raw.openSaved(folder),
  }
}

/** Records row changes when the configuration says so. `renew` is for another state of the database. */
function withHistory(
  engine: Engine,
  { clock, config: { history }, dataDir, observe }: Runtime,
): { readonly engine: Engine; readonly renew: () => void } {
  // A new database has no history that could end.
  if (history === false && dataDir === undefined) return { engine, renew: () => {} }
  const recorder = new HistoryRecorder({
    engine,
    clock,
    bounds:
      history === false
        ? undefined
        : { mostBytes: history.megabytes * MEGABYTE_BYTES, mostDays: history.days },
    onFailure: (schemaName, error) =>
      observe({ kind: 'internalFailure', requestId: `history of ${schemaName}`, error }),
  })
  return { engine: recorder.engine, renew: () => recorder.renew() }
}

/** Connects the engine to the feed of row changes, to changes of structure and to the clock. */
async function watchEngine(
  engine: Engine,
  { clock, observe, wallClock }: Runtime,
  { lifecycle, stores }: PlatformRecords,
): Promise<ChangeFeed> {
  // Created before the watch of schema changes, so that subscribers learn of a changed table before schema caches are renewed.
  const feed = createChangeFeed(engine, { clock, wallClock })
  watchSchemaChanges(engine, (schemaName) => {
    const project = stores.projects.findProjectBySchema(schemaName)
    if (project !== undefined) lifecycle.schemaChanged(project)
  })
  if (clock.time.kind === 'frozen' || clock.time.offsetMillis !== 0)
    await engine.setTime(clock.time)
  clock.onMove((time) => {
    engine
      .setTime(time)
      .catch((error: unknown) => observe({ kind: 'internalFailure', requestId: 'clock', error }))
  })
  return feed
}

function temporaryFolder(onClose: OnClose): string {
  const folder = openTemporaryDir()
  onClose(() => folder.remove())
  return folder.path
}
