// Fuzzes bundles from an untrusted person, with changed members, names, links, hashes, bytes and values. Opening a bundle must
// not change files outside its temporary folder, and a refusal must have a message. Most cases load the bundle into a running
// engine; some open an emulator.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openBundleEmulator } from '../../../emulator/assembly/library/bundle-emulator.ts'
import { openStorageStores } from '../../../emulator/assembly/open-storage.ts'
import { openPlatformDb } from '../../../emulator/assembly/records.ts'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../emulator/core/id-source.ts'
import { parseJson } from '../../../emulator/core/json.ts'
import { createSituations } from '../../../emulator/core/situations.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import { BundleError } from '../../../emulator/workflow/bundles/bundle-error.ts'
import { BundledRequests } from '../../../emulator/workflow/bundles/bundled-request.ts'
import { loadPlatform, loadProjects } from '../../../emulator/workflow/bundles/load-state.ts'
import {
  UNPACKED_DATA,
  UNPACKED_STATE,
  unpackBundle,
} from '../../../emulator/workflow/bundles/unpack-bundle.ts'
import { type Member, membersOf } from '../../support/bundle-members.ts'
import { createGroup, startTestEmulator } from '../../support/test-emulator.ts'
import { openEmbeddedEngine } from '../../support/test-engine.ts'
import { makePrecious } from '../../support/watched-folder.ts'
import { BUNDLE_EXAMPLES, type BundleCase, type BundleChange } from '../examples/bundle.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace } from '../target.ts'
import { changedBundle } from './bundle/change-members.ts'

const UP = '../'.repeat(12)
const ID = '00000000-0000-4000-8000-000000000001'
const path = fc.constantFrom(
  ...['~/a.txt', '~', `${UP}~/a.txt`, '../precious/a.txt', '..', '.', '', '/', '\0', 'a\\..\\b'],
  ...['state/records.json', 'state/projects/x1.jsonl', 'state/platform.db', 'manifest.json'],
  ...[`state/blobs/${ID}`, 'state/blobs/../../x', 'state/postgres-loading.json', 'requests.json'],
  ...['state/projects/..jsonl', 'state/projects/../../data/platform.db', 'data/platform.db'],
)
const sql = fc.constantFrom(
  ...['select 1', 'selec', "copy t to '/pglite/data/x'", "copy t to program 'touch ~/a.txt'"],
  ...[
    'reset role',
    'create table t (id int)',
    'drop table auth_users',
    "select lo_export(1, '~/a')",
  ],
  ...['alter role current_user superuser', "'", '$$', 'commit; create table u ()', 'vacuum'],
)
const value = fc.oneof(
  path,
  sql,
  fc.constantFrom(ID, 'x1', 'proj_x1', 'active', 'purging', 'reserved', 'template', 'SELECT', 'é'),
  fc.constantFrom(null, true, 0, 1, -1, 1.5, 1e308, [], {}, '9'.repeat(20), 'x'.repeat(5_000)),
  fc.double(),
  fc.array(fc.constantFrom('a', null, 1), { maxLength: 3 }),
  fc.dictionary(path, fc.constantFrom('a', null, 1), { maxKeys: 2 }),
)
const place = fc.record({ member: fc.nat(9), at: fc.nat(5_000) })
const change: fc.Arbitrary<BundleChange> = fc.oneof(
  { weight: 8, arbitrary: changeOf('value', place, { value }) },
  {
    weight: 2,
    arbitrary: changeOf('key', place, {
      key: fc.oneof(path, fc.constantFrom('__proto__', 'line', 'table')),
    }),
  },
  {
    weight: 2,
    arbitrary: changeOf('bytes', place, {
      bytes: fc.array(fc.nat(255), { minLength: 1, maxLength: 8 }),
    }),
  },
  changeOf('rename', place, { name: path }),
  changeOf('drop', place, {}),
  changeOf('repeat', place, {}),
  changeOf('type', place, {
    type: fc.constantFrom('symlink', 'link', 'directory', 'fifo'),
    to: path,
  }),
  { weight: 2, arbitrary: changeOf('add', place, { name: path, text: fc.oneof(path, sql) }) },
)

function changeOf<Kind extends BundleChange['kind'], More extends object>(
  kind: Kind,
  where: fc.Arbitrary<{ readonly member: number; readonly at: number }>,
  more: { readonly [Name in keyof More]: fc.Arbitrary<More[Name]> },
): fc.Arbitrary<BundleChange> {
  return fc
    .tuple(where, fc.record(more, { noNullPrototype: true }))
    .map(([at, rest]) => ({ kind, ...at, ...rest }) as unknown as BundleChange)
}

const mostly = fc.integer({ min: 0, max: 19 }).map((number) => number > 0)
const cases: fc.Arbitrary<BundleCase> = fc.record(
  {
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    isListed: mostly,
    kept: fc.oneof(
      { weight: 30, arbitrary: fc.constant(1) },
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
  },
  { noNullPrototype: true },
)

/** Bundle of an emulator with one small project. */
async function smallBundle(): Promise<readonly Member[]> {
  await using at = await startTestEmulator()
  await createGroup(at, 'x1', {
    sql: `create table t (id int primary key, body text);
insert into t values (1, 'a'); create view v as select * from t`,
  })
  await at.call('GET', '/platform/v1/projects', { credential: 'nonsense' })
  const made = await fetch(`${at.url}/_emulator/v1/bundles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  return membersOf(new Uint8Array(await made.arrayBuffer()))
}

/** Number of cases that load a bundle for each case that opens an emulator. */
const LOADED_PER_OPENED = 1_000

export const bundle: FuzzTarget<BundleCase> = {
  name: 'bundle',
  examples: BUNDLE_EXAMPLES,
  cases,
  boundMillis: 20_000,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-fuzz-bundle-'))
    const precious = makePrecious(folder)
    const members = await smallBundle()
    const { engine } = await openEmbeddedEngine()
    let loaded = 0
    return {
      attempt: async (one) => {
        const text = JSON.stringify(one)
        const real = JSON.parse(text.replaceAll('~', precious.path))
        const file = join(folder, 'fuzzed.tenantry')
        writeFileSync(file, await changedBundle(members, real))
        try {
          loaded += 1
          if (loaded % LOADED_PER_OPENED === 0) await openAndClose(file)
          else await load(file, join(folder, 'work'), engine)
          return 'opened'
        } catch (error) {
          if (!(error instanceof BundleError)) throw error
          requireNoTrace(error.message, text)
          return error.code
        } finally {
          rmSync(join(folder, 'work'), { recursive: true, force: true })
          precious.requireUntouched()
        }
      },
      tidy: async () => precious.requireUntouched(),
      close: () => {
        precious.close()
        rmSync(folder, { recursive: true })
        void engine.close()
      },
    } satisfies FuzzSession<BundleCase>
  },
}

async function openAndClose(file: string): Promise<void> {
  const emulator = await openBundleEmulator(file, {}, [])
  await emulator.close()
}

/** Loads a bundle as `openBundleEmulator` does, but into an engine that already runs. */
async function load(file: string, folder: string, engine: Engine): Promise<void> {
  const { manifest, requests } = await unpackBundle(file, folder)
  const dataDir = join(folder, UNPACKED_DATA)
  const state = { file: 'fuzzed', folder: join(folder, UNPACKED_STATE) }
  if (manifest.state === null) return
  const projects = loadPlatform(state, dataDir, openPlatformDb)
  await sweepStorage(dataDir)
  try {
    await loadProjects(engine, 'fuzzed', projects)
  } finally {
    for (const { schemaName } of projects) await engine.projects.drop(schemaName)
  }
  const parsed = BundledRequests.safeParse(parseJson(requests))
  if (!parsed.success) throw new BundleError('damaged_bundle', 'has damaged requests', {})
}

// Starts storage and erases projects, because both remove files whose names come from the bundle's records.
async function sweepStorage(dataDir: string): Promise<void> {
  const db = openPlatformDb(dataDir)
  const storage = openStorageStores(db, {
    dataDir,
    clock: new SystemClock(),
    ids: new SystemIdSource(),
    situations: createSituations(),
    observe: (observation) => {
      if (observation.kind === 'internalFailure') throw observation.error
    },
  })
  const schemas = db
    .prepare<[], { name: string }>('select distinct schema_name as name from buckets')
    .all()
  for (const { name } of schemas)
    await storage.eraseProject(name as Parameters<typeof storage.eraseProject>[0])
  storage.uploads.forget()
  storage.close()
  db.close()
}
