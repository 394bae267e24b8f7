// Opens what all services are built on: directory lock, clocks, journal, platform database, keys and the engine. Closes what was
// opened when a later step fails.
import { join, resolve } from 'node:path'
import type { ResolvedConfig } from '../config.ts'
import { type Clock, SystemClock, type TaskRunner } from '../core/clock.ts'
import { type IdSource, SeededIdSource, SystemIdSource } from '../core/id-source.ts'
import type { SchemaName } from '../core/names.ts'
import { fanOut, type Observer } from '../core/observation.ts'
import { PlatformClock, type PlatformTime } from '../core/platform-clock.ts'
import { createSituations, type Situations } from '../core/situations.ts'
import { createChangeFeed } from '../database/changes/change-feed.ts'
import type { ChangeSource } from '../database/changes/row-change.ts'
import { lockDataDir } from '../database/data-dir/data-dir-lock.ts'
import { openTemporaryDir } from '../database/data-dir/temporary-dir.ts'
import { ensureClusterImage } from '../database/embedded/cluster/cluster-image.ts'
import { openPgliteEngine } from '../database/embedded/pglite-engine.ts'
import type { Engine } from '../database/engine.ts'
import type { SystemDb } from '../database/system-db/system-db.ts'
import { watchSchemaChanges } from '../database/tenant-schema/ddl-notice.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { createMailbox, type Mailbox } from '../messages/mailbox.ts'
import { STATE_REPLACED } from '../projects/lifecycle.ts'
import { openStorageStores, type StorageStores } from './open-storage.ts'
import { openPlatformDb, openRecords, type PlatformRecords } from './records.ts'
import { seedOfStart } from './seed-of-start.ts'
import {
  baselineFolder,
  findInterrupted,
  openPlatformStates,
  type PlatformStates,
} from './snapshots/platform-states.ts'

const MEGABYTE_BYTES = 1 << 20

/** What every service runs with. */
export interface Runtime {
  readonly config: ResolvedConfig
  readonly dataDir: string | undefined
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly ids: IdSource
  /** Situations of single requests: an injected fault sets them, services read them. */
  readonly situations: Situations
  readonly observe: Observer
  /** Adds an observer of all that is observed from now on. */
  readonly addObserver: (observer: Observer) => void
  readonly journal: Journal
}

/** Everything in the platform's database and beside it. */
export interface Records extends PlatformRecords {
  readonly db: SystemDb
  readonly storage: StorageStores
  readonly mailbox: Mailbox
}

/** The tenants' database. */
export interface TenantDatabase {
  readonly engine: Engine
  /** Changes of tenants' rows. */
  readonly changes: ChangeSource
  /** Names of a project's tables whose changes are captured now. */
  readonly capturedTables: (schemaName: SchemaName) => readonly string[]
}

/** Folders and files of saved states. */
export interface StatePlaces {
  /** Opens the platform's states, once. The present state is the baseline. */
  readonly openStates: () => PlatformStates
  /** Folder of the snapshots. */
  readonly snapshotRoot: string
  readonly clusterImage: string
}

/** Everything that services are built on. Each takes the members it needs (`Pick`). */
export interface Foundation extends Runtime, Records, TenantDatabase, StatePlaces {
  /** Writes everything out and frees the data directory. */
  close(): Promise<void>
}

/** @throws {EmulatorError} when the directory is locked, damaged or not writable */
export async function openFoundation(
  config: ResolvedConfig,
  observers: readonly Observer[],
): Promise<Foundation> {
  const closers: (() => void | Promise<void>)[] = []
  // Every step runs, so that one that fails does not keep the directory locked.
  const close = async (): Promise<void> => {
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
    return { ...(await open(config, observers, (step) => closers.push(step))), close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

type OnClose = (step: () => void | Promise<void>) => void

async function open(
  config: ResolvedConfig,
  observers: readonly Observer[],
  onClose: OnClose,
): Promise<Omit<Foundation, 'close'>> {
  const { runtime, seed } = openRuntime(config, observers, onClose)
  const { clock, dataDir, ids, observe, situations, wallClock } = runtime
  const root = dataDir ?? temporaryFolder(onClose)
  const interrupted =
    dataDir === undefined ? undefined : findInterrupted(root, join(root, 'postgres'))
  const baseline = baselineFolder(root, wallClock.now())
  const started = await startEngine(runtime, { seed, baseline: baseline.postgres }, onClose)
  // The engine starts in its own thread, and takes longest. The platform's database is opened meanwhile.
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
  const { engine, feed } = await watchEngine(raw, runtime, records)
  const openStates = (): PlatformStates =>
    openPlatformStates({
      root,
      cluster: started.cluster,
      baseline,
      engine: raw,
      db,
      storage,
      clock,
      ids,
      onReplaced: () => {
        records.revokedUsers.readAgain()
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
    changes: feed.source,
    capturedTables: (schemaName) => feed.capturedTables(schemaName),
    openStates,
    snapshotRoot: join(root, 'snapshots'),
    clusterImage: started.clusterImage,
  }
}

/** Clocks, identifiers and the journal. Locks the data directory. */
function openRuntime(
  config: ResolvedConfig,
  observers: readonly Observer[],
  onClose: OnClose,
): { readonly runtime: Runtime; readonly seed: string | undefined } {
  const dataDir = config.dataDir === undefined ? undefined : resolve(config.dataDir)
  const informed: Observer[] = []
  const observe = fanOut(informed)
  const runTask = taskRunner(observe)
  const wallClock = new SystemClock(runTask)
  const { frozenAt } = config
  const time: PlatformTime =
    frozenAt === undefined ? { kind: 'offset', offsetMillis: 0 } : { kind: 'frozen', at: frozenAt }
  const clock = new PlatformClock(wallClock, time, runTask)
  if (dataDir !== undefined) onClose(lockDataDir(dataDir))
  const seed = config.deterministicSeed && seedOfStart(config.deterministicSeed, dataDir)
  const journal = openJournal({
    file: inside(dataDir, 'journal.db'),
    capacity: config.journalEntries,
    wallClock,
    report: observe,
    keepsOwnRequests: config.journalOwnRequests,
  })
  onClose(() => journal.close())
  informed.push((observation) => journal.observe(observation), ...observers)
  const runtime: Runtime = {
    config,
    dataDir,
    clock,
    wallClock,
    ids: seed === undefined ? new SystemIdSource() : new SeededIdSource(seed),
    situations: createSituations(),
    observe,
    addObserver: (observer) => {
      informed.push(observer)
    },
    journal,
  }
  return { runtime, seed }
}

/** Begins to open the engine; `opening` ends when it answers. */
async function startEngine(
  { config, dataDir, ids, observe, wallClock }: Runtime,
  { baseline, seed }: { readonly seed: string | undefined; readonly baseline: string },
  onClose: OnClose,
): Promise<{
  readonly opening: ReturnType<typeof openPgliteEngine>
  readonly cluster: string
  readonly clusterImage: string
}> {
  const cluster = dataDir === undefined ? temporaryFolder(onClose) : join(dataDir, 'postgres')
  const clusterImage = await ensureClusterImage()
  const opening = openPgliteEngine({
    dataDir: cluster,
    isTemporary: dataDir === undefined,
    wallClock,
    ids,
    observe,
    clusterImage,
    bounds: { blockingMillis: config.maxBlockingMillis, queueMillis: config.maxQueueMillis },
    memoryBytes: config.engineMemoryMegabytes * MEGABYTE_BYTES,
    baselineFolder: baseline,
    ...(seed === undefined ? {} : { seed }),
  })
  const opened = opening.catch(() => undefined)
  onClose(async () => (await opened)?.close())
  return { opening, cluster, clusterImage }
}

/** Connects the engine to the feed of row changes, to changes of structure and to the clock. */
async function watchEngine(
  raw: Awaited<ReturnType<typeof openPgliteEngine>>,
  { clock, observe, wallClock }: Runtime,
  { lifecycle, stores }: PlatformRecords,
): Promise<{ readonly engine: Engine; readonly feed: ReturnType<typeof createChangeFeed> }> {
  const feed = createChangeFeed(raw, { clock, wallClock })
  const engine = watchSchemaChanges(feed.engine, (schemaName) => {
    const project = stores.projects.findProjectBySchema(schemaName)
    if (project !== undefined) lifecycle.schemaChanged(project)
  })
  if (clock.time.kind === 'frozen') await engine.setTime(clock.time)
  clock.onMove((time) => {
    engine
      .setTime(time)
      .catch((error: unknown) => observe({ kind: 'internalFailure', requestId: 'clock', error }))
  })
  return { engine, feed }
}

// The last resort. Work that is known to fail, such as writing to a full disk, uses core/background.ts.
function taskRunner(observe: Observer): TaskRunner {
  return (task) => {
    try {
      task()
    } catch (error) {
      observe({ kind: 'internalFailure', requestId: 'timer', error })
    }
  }
}

function temporaryFolder(onClose: OnClose): string {
  const folder = openTemporaryDir()
  onClose(() => folder.remove())
  return folder.path
}

function inside(dataDir: string | undefined, name: string): string | undefined {
  return dataDir === undefined ? undefined : join(dataDir, name)
}
