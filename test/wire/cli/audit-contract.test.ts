// `tenantry audit --contract` and `--accept-contract`: changes that widen or narrow what anon and a new user can reach, and
// unusable files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { storageToken } from '../../support/storage-world.ts'
import {
  createGroup,
  executeSql,
  expectStatus,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'tenantry.contract.json')
let at: TestEmulator
let left: TestTenant

const TEMPLATE = `
create table notes (id int primary key, owner uuid, body text);
create table prices (id int primary key, amount int);
create table drafts (id int primary key);
alter table notes enable row level security;
alter table prices enable row level security;
create policy owners_read on notes for select to authenticated using (owner = auth.uid());
create policy owners_change on notes for update to authenticated using (owner = auth.uid());
create policy all_read on prices for select using (true);
revoke all on drafts from anon, authenticated;
revoke insert, update, delete on prices from anon;
create function total() returns bigint language sql stable as 'select sum(amount) from prices';
create function add_note(body text) returns void language sql as 'select null::void';
revoke execute on function total(), add_note(text) from public, anon, authenticated`
const ROWS = `insert into notes values (1, null, 'secret'), (2, null, 'other');
insert into prices values (1, 100); insert into drafts values (1)`

beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'agreed', { sql: TEMPLATE })
  left = await provisionTenant(at, group, 'left')
  await provisionTenant(at, group, 'right')
  await exec(ROWS)
  const payload = Buffer.from(left.anonKey.split('.')[1] ?? '', 'base64url').toString()
  const path = `/platform/v1/projects/${JSON.parse(payload).project_id}/buckets`
  const body = { name: 'papers' }
  expectStatus(await at.call('POST', path, { credential: at.session, body }), 201)
  expect(await audit('--accept-contract', file)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

function audit(...args: readonly string[]): Promise<Ended> {
  return runCli(['audit', '--url', at.url, ...args]).ended
}

async function exec(sql: string): Promise<void> {
  const answer = await executeSql(at, left, sql)
  if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
}

/** Checks the contract while the SQL is applied to the tenant `left`, and then undoes the SQL. */
async function checkDuring(sql: string, undo: string, ...args: readonly string[]): Promise<Ended> {
  await exec(sql)
  try {
    return await audit('--contract', file, ...args)
  } finally {
    await exec(undo)
  }
}

function write(name: string, content: unknown): string {
  const path = join(folder.path, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function makeFolder(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  return path
}

function contract(): Json {
  return JSON.parse(readFileSync(file, 'utf8'))
}

describe('--accept-contract', () => {
  it('writes what anon and a new user can reach, without rows, tenants and addresses', () => {
    expect(contract()).toEqual({
      format: 'tenantry-exposure-contract',
      version: 1,
      tables: {
        drafts: {
          columns: ['id'],
          anon: { select: 'refused', insert: 'refused', update: 'refused', delete: 'refused' },
          new_user: { select: 'refused', insert: 'refused', update: 'refused', delete: 'refused' },
        },
        notes: {
          columns: ['body', 'id', 'owner'],
          anon: { select: 'none', insert: 'refused', update: 'refused', delete: 'refused' },
          new_user: { select: 'none', insert: 'none', update: 'none', delete: 'none' },
        },
        prices: {
          columns: ['amount', 'id'],
          anon: { select: 'all', insert: 'refused', update: 'refused', delete: 'refused' },
          new_user: { select: 'all', insert: 'none', update: 'none', delete: 'none' },
        },
      },
      functions: {},
      buckets: { papers: { anon: 'none', new_user: 'write' } },
    })
    expect(readFileSync(file, 'utf8')).not.toMatch(/left|right|127\.0\.0\.1/)
  })

  it('prints the changes when the file differs, and writes nothing when nothing changed', async () => {
    const path = write('older.json', {
      ...contract(),
      tables: { ...contract().tables, prices: undefined },
      buckets: { papers: { anon: 'read', new_user: 'write' } },
    })
    const { code, stdout } = await audit('--accept-contract', path)
    expect(stdout).toContain('anon sees every row of prices. The contract does not have the table.')
    expect(stdout).toContain('anon no longer reads the files of the bucket papers.')
    expect(stdout).toContain(`\n${path} written.\n`)
    expect(code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(readFileSync(file, 'utf8'))
    expect((await audit('--accept-contract', path)).stdout).toBe(`${path} is up to date.\n`)
  })

  it('does not overwrite a file other than a contract', async () => {
    const path = write('package.json', { name: 'app' })
    const { code, stderr } = await audit('--accept-contract', path)
    expect(stderr).toContain(`${path} is not an exposure contract: `)
    expect(stderr).toContain('Nothing was written.')
    expect(code).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe('{"name":"app"}')
  })
})

describe('--contract', () => {
  it('passes when nothing changed', async () => {
    const { code, stdout } = await audit('--contract', file)
    expect(stdout).toBe(
      `left, right: 3 tables, 0 functions and 1 bucket compared with ${file}.\n\nNothing widened.\n`,
    )
    expect(code).toBe(0)
  })

  it.each<[string, string, string, RegExp]>([
    [
      'a policy that shows all rows instead of own ones, with a row',
      'alter policy owners_read on notes using (true)',
      'alter policy owners_read on notes using (owner = auth.uid())',
      /error {2}contract-widened {2}new user sees every row of notes\. The contract allows no row\.\n {4}tenants: left\n {4}proof: new user reads \{"id":"1","owner":null,"body":"secret"\}\n/,
    ],
    [
      'a policy that shows some rows',
      'alter policy owners_read on notes using (id = 2)',
      'alter policy owners_read on notes using (owner = auth.uid())',
      /new user sees some rows of notes\. The contract allows no row\.\n[^\n]+\n {4}proof: new user reads \{"id":"2"/,
    ],
    [
      'a policy that lets strangers change rows, with the key of one',
      `alter policy owners_change on notes using (true);
       create policy all_see on notes for select to authenticated using (id = 2)`,
      'alter policy owners_change on notes using (owner = auth.uid()); drop policy all_see on notes',
      /new user changes some rows of notes\. The contract allows no row\.\n[^\n]+\n {4}No request was sent, because it would write rows\. This one would: PATCH http[^ ]+\/notes\?id=eq\.2 as new user\.\n/,
    ],
    [
      'a grant of INSERT to anon, with the call',
      `grant insert on prices to anon;
       create policy anyone_adds on prices for insert to anon with check (true)`,
      'revoke insert on prices from anon; drop policy anyone_adds on prices',
      /anon inserts every row into prices\. The contract refuses it\.\n[^\n]+\n[^\n]+ POST http[^ ]+\/prices as anon\.\n/,
    ],
    [
      'a grant of SELECT while policies still hide all rows',
      'alter table drafts enable row level security; grant select on drafts to anon',
      'revoke select on drafts from anon; alter table drafts disable row level security',
      /anon has SELECT on drafts, and sees no row\. The contract refuses it\.\n/,
    ],
    [
      'a column added to a readable table, with a row',
      'alter table prices add column cost int default 7',
      'alter table prices drop column cost',
      /anon sees the column cost of prices\. The contract does not list it\.\n {4}tenants: left\n {4}proof: anon reads \{"id":"1","amount":"100","cost":"7"\}\n/,
    ],
    [
      'a table that the contract does not have',
      'create table fresh (id int); insert into fresh values (1)',
      'drop table fresh',
      /anon sees every row of fresh\. The contract does not have the table\.\n/,
    ],
    [
      'a view that anon may read',
      'create view all_notes as select body from notes',
      'drop view all_notes',
      /anon sees every row of all_notes\. .*\n[^\n]+\n {4}proof: anon reads \{"body":"secret"\}\n/,
    ],
    [
      'a function that anon may execute, with its answer',
      'grant execute on function total() to anon',
      'revoke execute on function total() from anon',
      /anon executes the function total\(\)\. The contract does not allow it\.\n[^\n]+\n {4}proof: the request of anon is answered with 200\n/,
    ],
    [
      'a function that may write, with the call',
      'grant execute on function add_note(text) to authenticated',
      'revoke execute on function add_note(text) from authenticated',
      /new user executes the function add_note\(body text\)\. .*\n[^\n]+\n {4}No request was sent.*: POST http[^ ]+\/rpc\/add_note as new user\.\n/,
    ],
  ])('fails for %s', async (_, sql, undo, expected) => {
    const { code, stdout } = await checkDuring(sql, undo)
    expect(stdout).toMatch(expected)
    expect(stdout).toMatch(/\n\d+ widenings?\. If .* --accept-contract .*\n$/)
    expect(code).toBe(1)
  })

  it('fails for a bucket that became public, and names the call', async () => {
    const credential = await storageToken(at, left.serviceRoleKey)
    const change = (isPublic: boolean) =>
      at.call('PUT', '/storage/v1/bucket/proj_left_papers', {
        credential,
        body: { public: isPublic },
      })
    expectStatus(await change(true), 200)
    const { code, stdout } = await audit('--contract', file)
    expectStatus(await change(false), 200)
    expect(stdout).toContain('anon reads every file of the bucket papers. The contract allows no')
    expect(stdout).toContain('/storage/v1/object/public/proj_left_papers/<path> as anon.')
    expect(code).toBe(1)
  })

  it('passes when a policy is tightened, and says what narrowed and how to update the contract', async () => {
    await exec('drop policy all_read on prices')
    const one = await audit('--contract', file, '--tenant', 'left')
    await exec('create policy all_read on prices for select using (true)')
    expect(one.stdout).toContain(
      '\n  anon now sees no row of prices. The contract allows every row.',
    )
    expect(one.stdout).toContain(`"tenantry audit --accept-contract ${file} --url ${at.url}"`)
    expect(one.stdout).toContain('\n\nNothing widened.')
    expect(one.code).toBe(0)
  })

  it('does not count a tenant with fewer rows as narrowed', async () => {
    const { stdout } = await audit('--contract', file, '--tenant', 'left', 'right')
    expect(stdout).not.toContain('now sees')
  })

  it('reports that a table was renamed', async () => {
    const { code, stdout } = await checkDuring(
      'alter table prices rename to tariffs',
      'alter table tariffs rename to prices',
      '--tenant',
      'left',
    )
    expect(stdout).toContain(
      '\n  prices is now called tariffs, which has the same columns. It was compared with the contract of prices.',
    )
    expect(code).toBe(0)
  })

  it('reports that a table no longer exists', async () => {
    const path = write('gone.json', {
      ...contract(),
      tables: { ...contract().tables, old: contract().tables.drafts },
    })
    const { code, stdout } = await audit('--contract', path)
    expect(stdout).toContain('\n  The table old does not exist any more.')
    expect(code).toBe(0)
  })

  it('prints the same result as JSON with --json', async () => {
    const { code, stdout } = await checkDuring(
      'alter policy owners_read on notes using (true)',
      'alter policy owners_read on notes using (owner = auth.uid())',
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      contract: file,
      widened: [
        {
          rule: 'contract-widened',
          severity: 'error',
          tenants: ['left'],
          tables: ['notes'],
          identities: ['new user'],
          proof: { identity: 'new user', row: { id: '1' } },
        },
      ],
      changes: [],
      present: { tables: { notes: { new_user: { select: 'all' } } } },
    })
    expect(code).toBe(1)
  })

  it.each<[string, () => string, string]>([
    ['a missing file', () => join(folder.path, 'no.json'), 'There is no file '],
    ['a folder', () => makeFolder('sub'), 'it is a folder'],
    ['text', () => write('text.json', 'all: none'), 'it is not JSON'],
    ['a list', () => write('list.json', []), 'must be an object'],
    [
      'another file',
      () => write('other.json', { a: 1 }),
      'format: must be tenantry-exposure-contract',
    ],
    [
      'another version',
      () => write('newer.json', { ...contract(), version: 2 }),
      'version: must be 1. The file has version 2',
    ],
    [
      'an unknown reach',
      () =>
        write('reach.json', {
          ...contract(),
          buckets: { papers: { anon: 'some', new_user: 'write' } },
        }),
      'buckets.papers.anon: must be one of none, read, write',
    ],
    [
      'a table without an identity',
      () => write('lacks.json', { ...contract(), tables: { notes: { columns: [] } } }),
      'tables.notes.anon: is missing',
    ],
  ])('refuses %s with an error message', async (_, path, sentence) => {
    const { code, stderr, stdout } = await audit('--contract', path())
    expect(stderr).toContain(sentence)
    expect(stderr).toContain(`"tenantry audit --accept-contract <file> --url ${at.url}"`)
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it('cannot be combined with a baseline', async () => {
    const { code, stderr } = await audit('--contract', file, '--baseline', file)
    expect(stderr).toContain("'--contract <file>' cannot be used with option '--baseline <file>'")
    expect(code).not.toBe(0)
  })
})

describe('the contract API', () => {
  it('returns the contract of a tenant, and compares a given contract with it', async () => {
    const path = '/_emulator/v1/projects/left/audit/contract'
    const { body } = await at.call('GET', path)
    expect(body).toEqual(contract())
    const same = await at.call('POST', path, { body })
    expect(same.body).toEqual({ tenant: 'left', present: body, widened: [], changes: [] })
  })

  it('names each error in an invalid body and its place', async () => {
    const path = '/_emulator/v1/projects/left/audit/contract'
    const body = { ...contract(), version: 2, functions: { 'f()': ['everybody'] } }
    const answer = await at.call('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid_request' })
    expect(answer.body.error.message).toContain('version: must be 1')
    expect(answer.body.error.message).toContain('functions.f().0: must be one of anon, new_user')
  })

  it('answers 404 for an unknown tenant', async () => {
    const answer = await at.call('GET', '/_emulator/v1/projects/nobody/audit/contract')
    expect(answer.status).toBe(404)
  })
})
