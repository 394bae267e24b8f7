// Makes bundles: saves the state beside the snapshots, masks the last requests, and packs both into one file.
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_FILE_ENDING, type BundleOrder } from '../../contract/bundles.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import { SeededIdSource } from '../../core/id-source.ts'
import type { SchemaName } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import { toIso } from '../../core/time.ts'
import { version } from '../../core/version.ts'
import { cellText, type Engine, SqlError } from '../../database/engine.ts'
import { createRowReader, type RowReader } from '../../database/row-reader.ts'
import { readScript, sql } from '../../database/sql.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import type { FaultBook } from '../../insight/faults/fault-book.ts'
import type { Recordings } from '../../insight/journal/recording/recorder.ts'
import { bundleRequest } from '../../workflow/bundles/bundled-request.ts'
import type { MadeBundle } from '../../workflow/bundles/bundles.ts'
import { type ManifestFacts, REQUESTS } from '../../workflow/bundles/manifest.ts'
import { bundledCredentials } from '../../workflow/bundles/named-credential.ts'
import { packBundle } from '../../workflow/bundles/pack-bundle.ts'
import { dumpProject } from '../../workflow/bundles/state/dump-project.ts'
import { dumpRecords } from '../../workflow/bundles/state/records.ts'
import {
  activeTenants,
  type OpenedSnapshots,
  ordersOf,
} from '../../workflow/snapshots/open-snapshots.ts'
import type { StateFolder } from '../../workflow/snapshots/snapshot-folder.ts'
import type { Foundation } from '../open-foundation.ts'
import { PROJECT_ENDING, PROJECTS, RECORDS, stateFiles } from './state-files.ts'

export interface BundleParts {
  readonly foundation: Foundation
  readonly faults: Pick<FaultBook, 'list'>
  readonly recordings: Pick<Recordings, 'findRecording'>
  readonly snapshots: Pick<OpenedSnapshots, 'saveAside'>
}

/** Requests in a bundle. The recorder keeps as many. */
const MAX_REQUESTS = 1_000

/** @throws {InspectorError} `not_found`, `conflict`, `busy` @throws {SqlError} */
export async function makeBundle(parts: BundleParts, order: BundleOrder): Promise<MadeBundle> {
  const { foundation, snapshots } = parts
  const withState = order.with_state !== false
  if (withState) requireFiles(foundation)
  const entries = lastRequests(foundation, order.request_id)
  const requestId = order.request_id ?? failedRequest(parts, entries)?.request_id
  const aside = await snapshots.saveAside({ withState }, async (folder) => {
    if (withState) await dumpState(foundation, folder)
    return factsOf(parts, withState)
  })
  try {
    const state = stateFiles(aside.folder.path)
    const credentials = bundledCredentials({ ...foundation, apiKeys: foundation.stores.apiKeys })
    const requests = await Promise.all(
      entries.map((entry) =>
        bundleRequest(credentials, entry, parts.recordings.findRecording(entry.request_id)),
      ),
    )
    const path = join(aside.folder.path, 'bundle')
    const madeAt = toIso(foundation.wallClock.now())
    await packBundle(
      path,
      {
        ...aside.facts,
        made_at: madeAt,
        note: order.note ?? null,
        request_id: requestId ?? null,
        requests: requests.length,
        versions: await versionsOf(foundation),
        settings: settingsOf(foundation),
        state: withState ? { ...stateFacts(foundation), objects_left_out: state.leftOut } : null,
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

function requireFiles({ engine }: Pick<Foundation, 'engine'>): void {
  if (engine.facts.kind === 'embedded') return
  throw new InspectorError(
    'conflict',
    'The state of a PostgreSQL server cannot be put into a bundle.',
    {
      hint: 'Leave the state out (--without-state), and export the data with "tenantry fixture export".',
    },
  )
}

/** Returns the newest requests, oldest first, without those to the emulator's own API. @throws {InspectorError} `not_found` */
function lastRequests(
  { journal }: Pick<Foundation, 'journal'>,
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

// Prefers a request that can be replayed. Statements of the Postgres port and older requests have no recording.
function failedRequest(
  { recordings }: BundleParts,
  entries: readonly JournalEntry[],
): JournalEntry | undefined {
  const own = entries.filter((entry) => !entry.is_from_inspector)
  const recorded = own.filter(
    ({ request_id: id, status }) => status >= 400 && recordings.findRecording(id) !== undefined,
  )
  return recorded.at(-1) ?? own.findLast(({ status }) => status >= 400) ?? own.at(-1)
}

type MomentFacts = Pick<ManifestFacts, 'time' | 'ids' | 'faults'>

// Keys of a repeatable start follow from its seed, so the seed belongs to the state.
function factsOf({ foundation, faults }: BundleParts, withState: boolean): MomentFacts {
  const { clock, ids } = foundation
  const time = { at: toIso(clock.now()), is_frozen: clock.time.kind === 'frozen' }
  if (!withState) return { time, ids: null, faults: [] }
  return {
    time,
    ids: ids instanceof SeededIdSource ? { seed: ids.seed, position: ids.position } : null,
    faults: [...ordersOf(faults.list())],
  }
}

async function versionsOf({ engine }: Foundation): Promise<ManifestFacts['versions']> {
  return {
    tenantry: version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    engine: engine.facts.kind,
    postgres: await postgresVersion(engine),
  }
}

// Empty while the database does not start, because such a failure is worth a bundle without state, too.
async function postgresVersion(engine: Engine): Promise<string> {
  try {
    const results = await engine.admin('cluster', readScript([sql`show server_version`]))
    return cellText(results.at(-1)?.rows[0]?.[0]) ?? ''
  } catch (error) {
    if (error instanceof SqlError) return ''
    throw error
  }
}

function settingsOf({ config }: Foundation): ManifestFacts['settings'] {
  return {
    clone: config.clone,
    statement_timeout_ms: config.statementTimeoutMillis,
    max_body_bytes: config.maxBodyBytes,
    max_result_bytes: config.maxResultBytes,
  }
}

function stateFacts(foundation: Foundation): { tenants: number; developer_email: string } {
  return {
    tenants: activeTenants(foundation.stores.projects),
    developer_email: foundation.developerLogin.email,
  }
}

// Writes the platform's state into a folder as data: records as JSON, projects as statements and rows, and files of buckets. No
// request may be running.

/** Programs at the Postgres port can write while a project is read. It is read again then. */
const READINGS = 3

/** @throws {InspectorError} `busy` @throws {SqlError} */
async function dumpState(foundation: Foundation, into: StateFolder): Promise<void> {
  const { db, engine, storage, stores } = foundation
  const projects = join(into.path, PROJECTS)
  mkdirSync(projects, { mode: 0o700 })
  writeFileSync(join(into.path, RECORDS), dumpRecords(db), { mode: 0o600 })
  storage.kept.copyTo(into.blobs, storage.blobIds())
  const reader = createRowReader(engine)
  const { listInState } = stores.projects
  for (const { schemaName, slug } of [...listInState('active'), ...listInState('deleted')])
    await writeProject(foundation, reader, schemaName, plainPath(projects, slug + PROJECT_ENDING))
}

async function writeProject(
  { engine, writes }: Pick<Foundation, 'engine' | 'writes'>,
  reader: RowReader,
  schemaName: SchemaName,
  path: string,
): Promise<void> {
  for (let reading = 0; reading < READINGS; reading += 1) {
    const before = writes.of(schemaName)
    const file = openSync(path, 'w', 0o600)
    try {
      for await (const line of dumpProject({ engine, reader }, schemaName))
        writeSync(file, `${JSON.stringify(line)}\n`)
    } finally {
      closeSync(file)
    }
    if (before !== undefined && writes.of(schemaName) === before) return
  }
  throw new InspectorError('busy', `A program writes to ${schemaName} all the time.`, {
    hint: 'Nothing was changed. End its transactions, and try again.',
  })
}
