// Opens what every service stands on: directory lock, platform database, keys, clocks, journal and the engine. What was
// opened is closed again when a later step fails.
import { join, resolve } from 'node:path'
import {
  AUTH_SETTINGS_MIGRATIONS,
  createAuthSettingsStore,
  type KeptAuthSettings,
} from '../auth/auth-settings.ts'
import {
  AUTH_MIGRATIONS,
  openRevokedUsers,
  type RevokedUsers,
} from '../auth/users/revoked-users.ts'
import type { ResolvedConfig } from '../config.ts'
import { type Login, seedDeveloper } from '../control/accounts/accounts.ts'
import type { Owner } from '../control/accounts/owners.ts'
import { type ControlStores, createControlStores } from '../control/stores.ts'
import { type Clock, SystemClock, type TaskRunner } from '../core/clock.ts'
import { type IdSource, SeededIdSource, SystemIdSource } from '../core/id-source.ts'
import type { SchemaName } from '../core/names.ts'
import { fanOut, type Observer } from '../core/observation.ts'
import { PlatformClock } from '../core/platform-clock.ts'
import { createSituations, type Situations } from '../core/situations.ts'
import { CREDENTIAL_MIGRATIONS, loadKeyMaterial } from '../credentials/key-store.ts'
import { createLocalKeys, type LocalKeys } from '../credentials/local-keys.ts'
import { createSigningKeys, type SigningKeys } from '../credentials/signing-keys.ts'
import type { Verifier } from '../credentials/verified.ts'
import { createVerifier } from '../credentials/verify.ts'
import { createChangeFeed } from '../database/changes/change-feed.ts'
import type { ChangeSource } from '../database/changes/row-change.ts'
import { lockDataDir } from '../database/data-dir/data-dir-lock.ts'
import { openTemporaryDir } from '../database/data-dir/temporary-dir.ts'
import { ensureClusterImage } from '../database/embedded/cluster/cluster-image.ts'
import { openPgliteEngine } from '../database/embedded/pglite-engine.ts'
import type { Engine } from '../database/engine.ts'
import { openSystemDb, type SystemDb } from '../database/system-db/system-db.ts'
import { REGISTRY_MIGRATIONS } from '../database/system-db/system-schema.ts'
import { watchSchemaChanges } from '../database/tenant-schema/ddl-notice.ts'
import {
  createFixtureStore,
  FIXTURE_MIGRATIONS,
  type FixtureStore,
} from '../fixtures/fixture-store.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { createMailbox, type Mailbox } from '../messages/mailbox.ts'
import { MESSAGE_MIGRATIONS } from '../messages/message-rows.ts'
import { createLifecycle, type Lifecycle, STATE_REPLACED } from '../projects/lifecycle.ts'
import { STORAGE_MIGRATIONS } from '../storage/storage-schema.ts'
import { openStorageStores, type StorageStores } from './open-storage.ts'
import { seedOfStart } from './seed-of-start.ts'
import {
  baselineFolder,
  findInterrupted,
  openPlatformStates,
  type PlatformStates,
} from './snapshots/platform-states.ts'
import { timeOfStart } from './time-of-start.ts'

const MEGABYTE_BYTES = 1 << 20

export interface Foundation {
  readonly config: ResolvedConfig
  readonly dataDir: string | undefined
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly ids: IdSource
  /** Met by single requests: who plays them is told of here, who heeds them asks here. */
  readonly situations: Situations
  readonly observe: Observer
  /** Lets one more hear of what is observed from now on. */
  readonly addObserver: (observer: Observer) => void
  readonly journal: Journal
  readonly engine: Engine
  /** Where to listen to what becomes of tenants' rows. */
  readonly changes: ChangeSource
  /** Opens the platform's states, once; what is there then is the baseline. */
  readonly openStates: () => PlatformStates
  /** Folder of the snapshots. */
  readonly snapshotRoot: string
  readonly clusterImage: string
  readonly db: SystemDb
  /** Names of a project's tables whose changes are captured now. */
  readonly capturedTables: (schemaName: SchemaName) => readonly string[]
  readonly stores: ControlStores
  readonly storage: StorageStores
  readonly mailbox: Mailbox
  readonly authSettings: KeptAuthSettings
  readonly revokedUsers: RevokedUsers
  readonly fixtures: FixtureStore
  readonly lifecycle: Lifecycle
  /** The dashboard account that exists from the start. */
  readonly developer: Owner
  readonly developerLogin: Login
  readonly signingKeys: SigningKeys
  readonly localKeys: LocalKeys
  readonly verifier: Verifier
  /** Writes everything out and lets go of the data directory. */
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

async function open(
  config: ResolvedConfig,
  observers: readonly Observer[],
  onClose: (step: () => void | Promise<void>) => void,
): Promise<Omit<Foundation, 'close'>> {
  const dataDir = config.dataDir === undefined ? undefined : resolve(config.dataDir)
  const hearing: Observer[] = []
  const observe = fanOut(hearing)
  const runTask = taskRunner(observe)
  const wallClock = new SystemClock(runTask)
  const clock = new PlatformClock(wallClock, timeOfStart(config), runTask)
  if (dataDir !== undefined) onClose(lockDataDir(dataDir))
  const seed = config.deterministicSeed && seedOfStart(config.deterministicSeed, dataDir)
  const ids = seed === undefined ? new SystemIdSource() : new SeededIdSource(seed)

  const journal = openJournal({
    file: inside(dataDir, 'journal.db'),
    capacity: config.journalEntries,
    wallClock,
    report: observe,
    keepsOwnRequests: config.journalOwnRequests,
  })
  onClose(() => journal.close())
  hearing.push((observation) => journal.observe(observation), ...observers)
  const root = dataDir ?? temporaryRoot(onClose)
  const interrupted =
    dataDir === undefined ? undefined : findInterrupted(root, join(root, 'postgres'))
  // The engine takes longest and works in its own thread: everything else is opened meanwhile.
  const folder = postgresFolder(dataDir, onClose)
  const clusterImage = await ensureClusterImage()
  const baseline = baselineFolder(root, wallClock.now())
  const opening = openPgliteEngine({
    ...folder,
    wallClock,
    ids,
    observe,
    clusterImage,
    bounds: { blockingMillis: config.maxBlockingMillis, queueMillis: config.maxQueueMillis },
    memoryBytes: config.engineMemoryMegabytes * MEGABYTE_BYTES,
    baselineFolder: baseline.postgres,
    ...(seed === undefined ? {} : { seed }),
  })
  const opened = opening.catch(() => undefined)
  onClose(async () => (await opened)?.close())
  if (dataDir !== undefined) interrupted?.replaceRecords(join(dataDir, 'platform.db'))
  const db = openSystemDb({
    file: inside(dataDir, 'platform.db'),
    migrations: [
      REGISTRY_MIGRATIONS,
      CREDENTIAL_MIGRATIONS,
      STORAGE_MIGRATIONS,
      MESSAGE_MIGRATIONS,
      AUTH_SETTINGS_MIGRATIONS,
      AUTH_MIGRATIONS,
      FIXTURE_MIGRATIONS,
    ],
  })
  onClose(() => db.close())
  const mailbox = createMailbox(db, { clock, wallClock, observe })
  onClose(() => mailbox.close())
  const situations = createSituations()
  const records = await openRecords(db, config, { clock, ids, situations })
  const storage = openStorageStores(db, { dataDir, clock, ids, situations, observe })
  onClose(() => storage.close())
  records.lifecycle.listen({
    purge: (project) => {
      mailbox.clear(project.schemaName)
      return storage.eraseProject(project.schemaName)
    },
  })
  const raw = await opening
  interrupted?.finish(storage)
  const feed = createChangeFeed(raw, { clock, wallClock })
  const engine = watchSchemaChanges(feed.engine, (schemaName) => {
    const project = records.stores.projects.findProjectBySchema(schemaName)
    if (project !== undefined) records.lifecycle.schemaChanged(project)
  })
  if (clock.time.kind === 'frozen') await engine.setTime(clock.time)
  clock.onMove((time) => {
    engine
      .setTime(time)
      .catch((error: unknown) => observe({ kind: 'internalFailure', requestId: 'clock', error }))
  })
  return {
    config,
    dataDir,
    clock,
    wallClock,
    ids,
    situations,
    observe,
    addObserver: (observer) => {
      hearing.push(observer)
    },
    journal,
    engine,
    changes: feed.source,
    openStates: () => {
      const onReplaced = (): void => {
        records.revokedUsers.readAgain()
        feed.forget(STATE_REPLACED)
        records.lifecycle.stateReplaced()
      }
      return openPlatformStates({
        root,
        cluster: folder.dataDir,
        baseline,
        engine: raw,
        db,
        storage,
        clock,
        ids,
        onReplaced,
      })
    },
    snapshotRoot: join(root, 'snapshots'),
    clusterImage,
    db,
    capturedTables: (schemaName) => feed.capturedTables(schemaName),
    mailbox,
    storage,
    ...records,
  }
}

/** Only storage tells how much it erased. */
const NOTHING_COUNTED = { bucketsDeleted: 0, objectsDeleted: 0 }

async function openRecords(
  db: SystemDb,
  config: ResolvedConfig,
  source: Pick<Foundation, 'clock' | 'ids' | 'situations'>,
) {
  const { clock, ids } = source
  const stores = createControlStores(db, source)
  const authSettings = createAuthSettingsStore(db, {
    templateOf: (id) =>
      stores.tenants.findTenantOfProject(id)?.templateProjectId ??
      stores.projects.findProject(id)?.sourceProjectId,
  })
  const revokedUsers = openRevokedUsers(db, { clock })
  const lifecycle = createLifecycle()
  lifecycle.listen({
    purge: (project) => {
      authSettings.erase(project.id)
      revokedUsers.erase(project.schemaName)
      return Promise.resolve(NOTHING_COUNTED)
    },
  })
  const material = loadKeyMaterial(db, ids)
  const signingKeys = await createSigningKeys(material)
  const localKeys = createLocalKeys(material.localSecret)
  const { email, password = localKeys.developerPassword(email) } = config.developer
  const developerLogin = { email, password }
  const developer = await seedDeveloper({ stores, ids }, developerLogin)
  const verifier = createVerifier({
    signingKeys,
    projects: stores.projects,
    apiKeys: stores.apiKeys,
    standings: revokedUsers,
    clock,
  })
  return {
    stores,
    authSettings,
    revokedUsers,
    fixtures: createFixtureStore(db),
    lifecycle,
    developer,
    developerLogin,
    signingKeys,
    localKeys,
    verifier,
  }
}

// A last resort: what is known to fail, e.g. writing to a full disk, guards itself (core/background.ts).
function taskRunner(observe: Observer): TaskRunner {
  return (task) => {
    try {
      task()
    } catch (error) {
      observe({ kind: 'internalFailure', requestId: 'timer', error })
    }
  }
}

function temporaryRoot(onClose: (step: () => void) => void): string {
  const passing = openTemporaryDir()
  onClose(() => passing.remove())
  return passing.path
}

function postgresFolder(
  dataDir: string | undefined,
  onClose: (step: () => void) => void,
): { readonly dataDir: string; readonly isTemporary: boolean } {
  if (dataDir !== undefined) return { dataDir: join(dataDir, 'postgres'), isTemporary: false }
  const passing = openTemporaryDir()
  onClose(() => passing.remove())
  return { dataDir: passing.path, isTemporary: true }
}

function inside(dataDir: string | undefined, name: string): string | undefined {
  return dataDir === undefined ? undefined : join(dataDir, name)
}
