// Bundles that an attacker made. Each is refused with an error message, and no file outside its temporary folder changes.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBundle } from '../../../emulator/index.ts'
import { listMembers, type Member, membersOf, packMembers } from '../../support/bundle-members.ts'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import { createGroup } from '../../support/test-emulator.ts'
import { makePrecious, type WatchedFolder } from '../../support/watched-folder.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const embedded = onlyEmbedded('the states of a server are in no bundle')
/** Relative path from any folder of a temporary data directory to the root of the file system. */
const UP = '../'.repeat(20)

let folder: string
let precious: WatchedFolder
let members: readonly Member[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-forged-'))
  precious = makePrecious(folder)
  await using at = await workerEmulator()
  await createGroup(at, 'clinic', { sql: 'create table notes (id int primary key)' })
  const made = await fetch(`${at.url}/_emulator/v1/bundles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  members = await membersOf(new Uint8Array(await made.arrayBuffer()))
})
afterAll(() => {
  precious.close()
  rmSync(folder, { recursive: true })
})

let files = 0
/** Packs members with correct hashes, and opens the bundle. */
async function open(forged: readonly Member[], changes: object = {}): Promise<unknown> {
  files += 1
  const path = join(folder, `${files}.tenantry`)
  writeFileSync(path, await packMembers(listMembers(forged, changes)))
  const opened = await openBundle(path).catch((error: unknown) => error)
  if (!(opened instanceof Error)) await (opened as AsyncDisposable)[Symbol.asyncDispose]()
  precious.requireUntouched()
  return opened
}

const text = (name: string, content: string): Member => ({
  name,
  bytes: Buffer.from(content),
  type: 'file',
})

/** A note of a pending restore, as in a file beside or inside a cluster. */
const note = (name: string): Member =>
  text(
    name,
    JSON.stringify({
      from: precious.path,
      files: ['hostname', '.hidden'],
      remove: [join(UP, precious.path, 'a.txt')],
    }),
  )

/** Changes the JSON of the member whose name has this ending. */
function edited(ending: string, edit: (content: string) => string): readonly Member[] {
  expect(members.some(({ name }) => name.endsWith(ending))).toBe(true)
  return members.map((member) =>
    member.name.endsWith(ending)
      ? text(member.name, edit(Buffer.from(member.bytes).toString()))
      : member,
  )
}

const withStatement = (statement: string): readonly Member[] =>
  edited('.jsonl', (lines) =>
    lines.replace('"before_rows":[', `"before_rows":[${JSON.stringify(statement)},`),
  )

/** Adds a record of an upload whose part file is elsewhere. The upload has expired, so that a start would remove the file. */
const withUpload = (version: string): readonly Member[] =>
  edited('records.json', (records) => {
    const { counters, tables } = JSON.parse(records)
    const [{ id: schemaName }] = tables.projects.map(({ slug }: { slug: string }) => ({
      id: `proj_${slug}`,
    }))
    const at = { created_at: 1, updated_at: 1 }
    const bucket = { id: 'b', schema_name: schemaName, is_public: 0, file_size_limit: null, ...at }
    const upload = {
      ...{ version, bucket_id: 'b', object_key: 'k', owner_id: null, may_replace: 1 },
      ...{ length_bytes: 1, offset_bytes: 0, metadata: '{}', is_finished: 0, expires_at: 1 },
    }
    return JSON.stringify({
      counters,
      tables: {
        ...tables,
        buckets: [{ ...bucket, owner_id: null, allowed_mime_types: null }],
        resumable_uploads: [upload],
      },
    })
  })

embedded.it('opens the unchanged bundle', async () => {
  expect(await open(members)).not.toBeInstanceOf(Error)
})

embedded.describe('a bundle of the earlier format', () => {
  it.each([
    [
      'a note of a restore that removes a file',
      () => [note('state/postgres/tenantry-loading.json')],
    ],
    ['a note of a restore that copies files', () => [note('state/restoring.json')]],
    [
      'a cluster in which a project’s owner is a superuser',
      () => [text('state/postgres/global/1260', 'x')],
    ],
    [
      'records with a trigger',
      () => [text('state/platform.db', 'SQLite format 3\0create Trigger')],
    ],
    ['a row that names a part file elsewhere', () => [text('state/platform.db', UP)]],
  ])('with %s is refused', async (_, forged) => {
    const changes = { version: 1, folders: ['state/postgres'] }
    expect(await open([...members, ...forged()], changes)).toMatchObject({ code: 'older_bundle' })
  })
})

embedded.describe('a bundle of this format', () => {
  it.each([
    'state/postgres-loading.json',
    'state/postgres-loaded.json',
    'state/postgres/tenantry-loading.json',
    'state/restoring.json',
    'state/baselines/1/postgres/created',
  ])('with a note %s is refused', async (name) => {
    expect(await open([...members, note(name)])).toMatchObject({
      code: 'damaged_bundle',
      message: expect.stringContaining('unknown name'),
    })
  })

  it.each([
    'alter role proj_clinic_owner superuser',
    `copy (select '{}') to '/pglite/data-loading.json'`,
    `copy (select 1) to program 'touch /tmp/x'`,
  ])('that runs %s is refused', async (statement) => {
    expect(await open(withStatement(statement))).toMatchObject({
      code: 'damaged_bundle',
      message: expect.stringMatching(/has a project proj_\w+ that cannot be built: /),
    })
  })

  it('with a database, a trigger or an unknown table is refused', async () => {
    const database = text('state/platform.db', 'SQLite format 3\0')
    expect(await open([...members, database])).toMatchObject({ code: 'damaged_bundle' })
    for (const table of ['fixture_steps', 'sqlite_schema'])
      expect(
        await open(
          edited('records.json', (records) =>
            records.replace('"owners":', `"${table}":[],"owners":`),
          ),
        ),
      ).toMatchObject({ message: expect.stringContaining('damaged records') })
  })

  it('with a row that names a file outside the bundle is refused', async () => {
    expect(await open(withUpload('00000000-0000-4000-8000-000000000001'))).not.toBeInstanceOf(Error)
    const elsewhere = await open(withUpload(join(UP, precious.path, 'a.txt')))
    expect(elsewhere).toMatchObject({ message: expect.stringContaining('damaged records') })
    expect(existsSync(join(precious.path, 'a.txt'))).toBe(true)
  })
})
