// Makes bundles: saves the state into a temporary folder, masks the last requests, and packs both into one file.
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_FILE_ENDING, type BundleOrder } from '../../contract/bundles.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { Clock } from '../../core/clock.ts'
import { type IdSource, SeededIdSource } from '../../core/id-source.ts'
import type { SchemaName } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import type { PlatformClock } from '../../core/platform-clock.ts'
import { toIso } from '../../core/time.ts'
import { version } from '../../core/version.ts'
import { cellText, type Engine, SqlError } from '../../database/engine.ts'
import { createRowReader, type RowReader } from '../../database/row-reader.ts'
import { readScript, sql } from '../../database/sql.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { WriteVersions } from '../../database/write-versions.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import type { FaultBook } from '../../insight/faults/fault-book.ts'
import type { Journal } from '../../insight/journal/journal.ts'
import type { Recordings } from '../../insight/journal/recording/recorder.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { activeTenants, type OpenedSnapshots, ordersOf } from '../snapshots/open-snapshots.ts'
import type { StateBlobs } from '../snapshots/platform-states.ts'
import type { StateFolder } from '../snapshots/snapshot-folder.ts'
import { bundleRequest } from './bundled-request.ts'
import type { MadeBundle } from './bundles.ts'
import { dumpHistory } from './history/dump-history.ts'
import { type ManifestFacts, REQUESTS } from './manifest.ts'
import { bundledCredentials, type CredentialKeys } from './named-credential.ts'
import { packBundle } from './pack-bundle.ts'
import { dumpProject } from './state/dump-project.ts'
import { dumpRecords } from './state/records.ts'
import { HISTORY, PROJECT_ENDING, PROJECTS, RECORDS, stateFiles } from './state-files.ts'

/** The parts of the platform that making a bundle uses. */
export interface BundleDeps extends CredentialKeys {
  readonly engine: Engine
  readonly db: SystemDb
  readonly writes: Pick<WriteVersions, 'of'>
  readonly projects: Pick<ProjectRegistry, 'listInState'>
  readonly storage: Pick<StateBlobs, 'blobIds' | 'kept'>
  readonly journal: Pick<Journal, 'read'>
  readonly recordings: Pick<Recordings, 'findRecording'>
  readonly faults: Pick<FaultBook, 'list'>
  readonly snapshots: Pick<OpenedSnapshots, 'saveAside'>
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly config: BundledConfig
  readonly developerLogin: { readonly email: string }
}

/** Settings of the emulator that affect answers. */
export interface BundledConfig {
  readonly clone: ManifestFacts['settings']['clone']
  readonly statementTimeoutMillis: number
  readonly maxBodyBytes: number
  readonly maxResultBytes: number
}

/** Maximum number of the newest requests in a bundle. The recorder keeps the same number. */
const MAX_REQUESTS = 1_000

/** @throws {InspectorError} `not_found`, `conflict`, `busy` @throws {SqlError} */
export async function makeBundle(deps: BundleDeps, order: BundleOrder): Promise<MadeBundle> {
  const withState = order.with_state !== false
  if (withState) requireFiles(deps)
  const entries = lastRequests(deps, order.request_id)
  const requestId = order.request_id ?? failedRequest(deps, entries)?.request_id
  const aside = await deps.snapshots.saveAside({ withState }, async (folder) => {
    const rowChanges = withState ? await dumpState(deps, folder) : null
    return { ...factsOf(deps, withState), row_changes: rowChanges }
  })
  try {
    const state = stateFiles(aside.folder.path)
    const credentials = bundledCredentials(deps)
    const requests = await Promise.all(
      entries.map((entry) =>
        bundleRequest(credentials, entry, deps.recordings.findRecording(entry.request_id)),
      ),
    )
    const path = join(aside.folder.path, 'bundle')
    const madeAt = toIso(deps.wallClock.now())
    await packBundle(
      path,
      {
        ...aside.facts,
        made_at: madeAt,
        note: order.note ?? null,
        request_id: requestId ?? null,
        requests: requests.length,
        versions: await versionsOf(deps),
        settings: settingsOf(deps),
        state: withState ? { ...stateFacts(deps), objects_left_out: state.leftOut } : null,
      },
      [{ path: REQUESTS, text: JSON.stringify(requests) }, ...state.files],
    )
    const name = `tenantry-${madeAt.slice(0, 19).replaceAll(':', '-')}${BUNDLE_FILE_ENDING}`
    return { path, name, sizeBytes: statSync(path).size, remove: aside.remove }
  } catch (error) {
    aside.remove()
    throw error
  }
}

function requireFiles({ engine }: Pick<BundleDeps, 'engine'>): void {
  if (engine.facts.kind === 'embedded') return
  throw new InspectorError(
    'conflict',
    'The state of a PostgreSQL server cannot be put into a bundle.',
    {
      hint: 'Leave the state out (--without-state), and export the data with "tenantry fixture export".',
    },
  )
}

/**
 * Returns the newest requests, oldest first, without requests to the emulator's own API.
 * @throws {InspectorError} `not_found`
 */
function lastRequests(
  { journal }: Pick<BundleDeps, 'journal'>,
  requestId: string | undefined,
): readonly JournalEntry[] {
  const newest = journal.read({ limit: MAX_REQUESTS })
  const isThere = newest.some((entry) => entry.request_id === requestId)
  const older = requestId === undefined || isThere ? [] : journal.read({ requestId, limit: 1 })
  if (requestId !== undefined && !isThere && older.length === 0)
    throw new InspectorError('not_found', `The journal has no request ${requestId}.`, {
      hint: 'GET /_emulator/v1/journal lists the recorded requests.',
    })
  return [...newest, ...older].filter(({ service }) => service !== 'inspector').toReversed()
}

// Returns the last failed request, preferably one that can be replayed, or else the last request. Statements of the Postgres
// port and older requests have no recording.
function failedRequest(
  { recordings }: BundleDeps,
  entries: readonly JournalEntry[],
): JournalEntry | undefined {
  const own = entries.filter((entry) => !entry.is_from_inspector)
  const recorded = own.filter(
    ({ request_id: id, status }) => status >= 400 && recordings.findRecording(id) !== undefined,
  )
  return recorded.at(-1) ?? own.findLast(({ status }) => status >= 400) ?? own.at(-1)
}

type MomentFacts = Pick<ManifestFacts, 'time' | 'ids' | 'faults'>

// The keys of a repeatable start are derived from its seed, so only a bundle with the state contains the seed.
function factsOf({ clock, faults, ids }: BundleDeps, withState: boolean): MomentFacts {
  const time = { at: toIso(clock.now()), is_frozen: clock.time.kind === 'frozen' }
  if (!withState) return { time, ids: null, faults: [] }
  return {
    time,
    ids: ids instanceof SeededIdSource ? { seed: ids.seed, position: ids.position } : null,
    faults: [...ordersOf(faults.list())],
  }
}

async function versionsOf({ engine }: BundleDeps): Promise<ManifestFacts['versions']> {
  return {
    tenantry: version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    engine: engine.facts.kind,
    postgres: await postgresVersion(engine),
  }
}

// Returns an empty text when the database does not start. A bundle without the state can still help to explain that failure.
async function postgresVersion(engine: Engine): Promise<string> {
  try {
    const results = await engine.admin('cluster', readScript([sql`show server_version`]))
    return cellText(results.at(-1)?.rows[0]?.[0]) ?? ''
  } catch (error) {
    if (error instanceof SqlError) return ''
    throw error
  }
}

function settingsOf({ config }: BundleDeps): ManifestFacts['settings'] {
  return {
    clone: config.clone,
    statement_timeout_ms: config.statementTimeoutMillis,
    max_body_bytes: config.maxBodyBytes,
    max_result_bytes: config.maxResultBytes,
  }
}

function stateFacts({ developerLogin, projects }: BundleDeps): {
  tenants: number
  developer_email: string
} {
  return { tenants: activeTenants(projects), developer_email: developerLogin.email }
}

// Writes the platform's state into a folder as data: records as JSON, projects as statements and rows, and files of buckets. No
// request may be running.

/**
 * Maximum number of readings of a project. A project is read again when a program at the Postgres port has written to it
 * meanwhile.
 */
const READINGS = 3

/** Returns the number of recorded row changes, or `null` when no changes are recorded. @throws {InspectorError} `busy` @throws {SqlError} */
async function dumpState(deps: BundleDeps, into: StateFolder): Promise<number | null> {
  const { db, engine, projects, storage } = deps
  const folders = { project: join(into.path, PROJECTS), history: join(into.path, HISTORY) }
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(into.path, RECORDS), dumpRecords(db), { mode: 0o600 })
  storage.kept.copyTo(into.blobs, storage.blobIds())
  const reader = createRowReader(engine)
  let rowChanges: number | null = null
  for (const state of ['active', 'deleted'] as const)
    for (const { schemaName, slug } of projects.listInState(state)) {
      const paths = {
        project: plainPath(folders.project, slug + PROJECT_ENDING),
        history: plainPath(folders.history, slug + PROJECT_ENDING),
      }
      const changes = await writeProject(deps, reader, schemaName, paths)
      if (changes !== undefined) rowChanges = (rowChanges ?? 0) + changes
    }
  return rowChanges
}

interface ProjectPaths {
  readonly project: string
  readonly history: string
}

/** Returns the number of recorded row changes; `undefined` when the project's changes are not recorded. */
async function writeProject(
  { clock, engine, writes }: Pick<BundleDeps, 'clock' | 'engine' | 'writes'>,
  reader: RowReader,
  schemaName: SchemaName,
  paths: ProjectPaths,
): Promise<number | undefined> {
  for (let reading = 0; reading < READINGS; reading += 1) {
    const before = writes.of(schemaName)
    const file = openSync(paths.project, 'w', 0o600)
    try {
      for await (const line of dumpProject({ engine, reader }, schemaName))
        writeSync(file, `${JSON.stringify(line)}\n`)
    } finally {
      closeSync(file)
    }
    const history = await dumpHistory({ engine, reader }, schemaName, clock.now())
    if (before === undefined || writes.of(schemaName) !== before) continue
    if (history.length === 0) return undefined
    const lines = history.map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(paths.history, lines.join(''), { mode: 0o600 })
    return history.filter(({ line }) => line === 'entry').length
  }
  throw new InspectorError('busy', `A program writes to ${schemaName} all the time.`, {
    hint: 'Nothing was changed. End its transactions, and try again.',
  })
}
