// Bundles carry the last row changes, so that an opened bundle goes back in time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RowHistory, Undo } from '../../../../emulator/contract/history.ts'
import type { SqlAnswer } from '../../../../emulator/contract/sql-console.ts'
import { type BundleEmulator, openBundle } from '../../../../emulator/index.ts'
import {
  listMembers,
  type Member,
  membersOf,
  packMembers,
} from '../../../support/bundle-members.ts'
import { onlyEmbedded } from '../../../support/engine-of-run.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'

const SQL = `create table notes (id integer primary key, title text, api_token text unique);
create table devices (secret uuid, otp integer, settings jsonb, name text);
create table scraps (id integer primary key)`
const HISTORY = 'state/history/past.jsonl'
const embedded = onlyEmbedded('the states of a server are no files')

let folder: string
let past: PastTenant
let renamed: string
let deleted: string
let bundle: Uint8Array
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-past-'))
  past = await openPastTenant(SQL)
  await past.request('POST', '/notes', { id: 0, title: 'long ago' })
  await past.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 20 * 60_000 } })
  await past.request('POST', '/notes', { id: 1, title: 'a "b"\\', api_token: 'present-secret-1' })
  renamed = await past.request('PATCH', '/notes?id=eq.1', { title: 'second' })
  await past.request('POST', '/notes', { id: 2, title: null, api_token: 'gone-secret-2' })
  await past.request('POST', '/notes', { id: 3, title: 'third', api_token: 'gone-secret-3' })
  deleted = await past.request('DELETE', '/notes?id=gte.2')
  await past.write(`insert into devices values
    ('aaaaaaaa-0000-4000-8000-000000000001', 4711, '{"password": "gone-secret-4", "color": "red"}', 'phone');
    delete from devices; insert into scraps values (1); drop table scraps`)
  bundle = await makeBundle()
})
afterAll(async () => {
  await past[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function makeBundle(order: object = {}): Promise<Uint8Array> {
  const made = await fetch(`${past.at.url}/_emulator/v1/bundles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  return new Uint8Array(await made.arrayBuffer())
}

let files = 0
function open(bytes: Uint8Array): Promise<BundleEmulator> {
  files += 1
  const path = join(folder, `${files}.tenantry`)
  writeFileSync(path, bytes)
  return openBundle(path)
}

async function call<Body>(emulator: BundleEmulator, path: string, body?: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const url = `http://127.0.0.1/_emulator/v1/projects/past${path}`
  return (await (await emulator.fetch(new Request(url, init))).json()) as Body
}

const ask = async (emulator: BundleEmulator, sql: string, at?: string): Promise<SqlAnswer> =>
  call(emulator, '/sql', { sql, identity: 'owner', mode: 'read_only', ...(at && { at }) })
const titles = ({ results }: SqlAnswer) => results.at(-1)?.rows
const SELECT = 'select id, title from notes where id > 0 order by id'

embedded.describe('an opened bundle', () => {
  let opened: BundleEmulator
  beforeAll(async () => {
    opened = await open(bundle)
  })
  afterAll(() => opened.close())

  it('lists the changes of the last minutes with their sequence, time, identity and request', async () => {
    const query = '/history?table=notes'
    const { changes } = await call<RowHistory>(opened, query)
    const original = (await past.history('table=notes')).changes.slice(0, -1)
    const withoutSecrets = (all: RowHistory['changes']) =>
      all.map(({ columns: { api_token: _, ...columns }, transaction: __, ...change }) => ({
        ...change,
        columns,
      }))
    expect(withoutSecrets(changes)).toEqual(withoutSecrets(original))
    expect(changes).toHaveLength(6)
    expect(new Set(changes.map(({ transaction }) => transaction)).size).toBe(5)
    expect(opened.bundle.row_changes).toBeGreaterThan(6)
  })

  it('shows the rows as they were before a request, and says what it does not know', async () => {
    expect(titles(await ask(opened, SELECT, renamed))).toEqual([['1', 'a "b"\\']])
    expect(titles(await ask(opened, SELECT, deleted))).toEqual([
      ['1', 'second'],
      ['2', null],
      ['3', 'third'],
    ])
    const { past: known } = await ask(opened, SELECT, renamed)
    expect(known?.gaps).toEqual([
      'scraps was dropped, and its rows are not known.',
      'The policies of devices at that time are not known. The present ones are applied.',
      'The policies of notes at that time are not known. The present ones are applied.',
    ])
    const earlier = await ask(opened, SELECT, '1')
    expect(earlier.past?.gaps).toContainEqual(
      expect.stringMatching(/^Changes before .* are not known\.$/),
    )
  })

  it('undoes a request, and records the undo after the carried changes', async () => {
    const before = await call<RowHistory>(opened, '/history?limit=1')
    const undone = await call<Undo>(opened, '/undo', { request_id: renamed, apply: true })
    expect(undone).toMatchObject({ is_applied: true, changes: 1 })
    expect(titles(await ask(opened, SELECT))).toEqual([['1', 'a "b"\\']])
    const [last] = (await call<RowHistory>(opened, '/history?limit=1')).changes
    expect(last).toMatchObject({ kind: 'UPDATE', columns: { title: ['second', 'a "b"\\'] } })
    expect(last?.sequence).toBeGreaterThan(before.last_sequence)
  })

  it('has no secret that only an earlier row had', async () => {
    const file = (await membersOf(bundle)).find(({ name }) => name === HISTORY)
    const content = Buffer.from(file?.bytes ?? []).toString()
    for (const secret of ['gone-secret', '4711', 'aaaaaaaa-0000-4000-8000-000000000001'])
      expect(content).not.toContain(secret)
    expect(content).toContain('present-secret-1')
    const { changes } = await call<RowHistory>(opened, '/history?table=notes&key=2')
    expect(changes.map(({ columns }) => columns['api_token'])).toEqual([
      [expect.stringMatching(/^masked~\d+$/), null],
      [null, expect.stringMatching(/^masked~\d+$/)],
    ])
  })
})

embedded.describe('a bundle', () => {
  it('has no changes without the state, or when none are recorded', async () => {
    await using bare = await open(await makeBundle({ with_state: false }))
    expect(bare.bundle.row_changes).toBeNull()
    const earlier = (await membersOf(bundle)).filter(({ name }) => name !== HISTORY)
    const packed = listMembers(earlier, { version: 2, row_changes: null })
    await using opened = await open(await packMembers(packed))
    expect(titles(await ask(opened, SELECT))).toEqual([['1', 'second']])
    expect((await call<RowHistory>(opened, '/history')).is_recorded).toBe(false)
  })

  it.each([
    [
      'changes of a platform’s table',
      '"table":"notes"',
      '"table":"auth_users"',
      'is no table of it',
    ],
    [
      'changes of another tenant’s table',
      '"table":"notes"',
      '"table":"platform.row_history"',
      'is no table of it',
    ],
    ['too few cells', '"cells":["1",', '"cells":[', 'does not fit the columns'],
    ['an unknown kind', '"kind":"I"', '"kind":"Q"', 'is no line of a history'],
    [
      'a statement for a time',
      /"at":"[^"]*"/,
      `"at":"'); drop table x"`,
      'is no line of a history',
    ],
    ['an unknown table', '"relation":0,"kind"', '"relation":7,"kind"', 'no table or no row'],
    ['changes in another order', /"complete_from":\d+/, '"complete_from":99999', 'not in order'],
    ['a name that Postgres refuses', '"role":"', '"role":"\\u0000', 'history of proj_past'],
  ])('with %s is refused', async (_, pattern, forged, message) => {
    const members = (await membersOf(bundle)).map((member): Member => {
      if (member.name !== HISTORY) return member
      const text = Buffer.from(member.bytes).toString()
      expect(text).toMatch(pattern)
      return { ...member, bytes: Buffer.from(text.replace(pattern, forged)) }
    })
    const opened = await open(await packMembers(listMembers(members))).catch((error) => error)
    expect(opened).toMatchObject({
      code: 'damaged_bundle',
      message: expect.stringContaining(message),
    })
  })
})
