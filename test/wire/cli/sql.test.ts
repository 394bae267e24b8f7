// `tenantry sql` against a running emulator: as the owner, as anon and as a user.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const SQL = `create table notes (id integer primary key, owner uuid default auth.uid(), body text);
  alter table notes enable row level security;
  create policy own on notes using (owner = auth.uid());
  grant select, insert on notes to anon, authenticated`
const ROWS = `insert into notes values (1, null, 'first'), (2, null, null)`

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql: SQL }), 'asked')
  await executeSql(at, tenant, ROWS)
})
afterAll(() => at[Symbol.asyncDispose]())

const sql = (...args: readonly string[]) => runCli(['sql', ...args, '--url', at.url]).ended
const bodies = async (): Promise<string> => (await sql('select body from notes order by id')).stdout

describe('tenantry sql', () => {
  it('prints the rows of the first tenant, which the owner sees', async () => {
    const { code, stdout, stderr } = await sql('select id, body from notes order by id')
    expect(stdout).toBe('id  body\n1   first\n2\n(2 rows)\n')
    expect([code, stderr]).toEqual([0, ''])
  })

  it.each([['anon'], ['ana@example.com']])(
    'shows %s no rows that a policy hides',
    async (identity) => {
      const account = { email: 'ana@example.com', password: 'a long enough password' }
      await at.call('POST', '/auth/v1/signup', {
        headers: { apikey: tenant.anonKey },
        body: account,
      })
      const { stdout } = await sql('select id from notes', '--tenant', 'asked', '--as', identity)
      expect(stdout).toBe('id\n(0 rows)\n')
    },
  )

  it('refuses writes without --write, and says how to keep them', async () => {
    const { code, stdout, stderr } = await sql(`insert into notes values (3, null, 'third')`)
    expect(stderr).toMatch(
      /^tenantry: Postgres refused the SQL: Cannot execute INSERT in a read-only/,
    )
    expect(stderr).toMatch(/Pass --write to keep changes\. \(25006\)\n$/)
    expect([code, stdout]).toEqual([1, ''])
    expect(await bodies()).toBe('body\nfirst\n\n(2 rows)\n')
  })

  it('keeps writes with --write', async () => {
    const { code, stdout } = await sql(
      `update notes set body = 'changed' where id = 1; select 1 as done`,
      '--write',
    )
    expect([code, stdout]).toEqual([0, 'UPDATE 1\n\ndone\n1\n(1 row)\n'])
    expect(await bodies()).toBe('body\nchanged\n\n(2 rows)\n')
  })

  it('runs as the identity of a recorded request', async () => {
    const headers = { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName }
    const credential = tenant.anonKey
    const answer = await at.call('GET', '/notes', { headers, credential })
    const id = answer.headers.get('x-request-id')
    const { stdout } = await sql('select current_user', '--as', `request:${id}`)
    expect(stdout).toBe('current_user\nanon\n(1 row)\n')
  })

  it('prints the answer of the API with --json, and ends with 1 after a refusal', async () => {
    const { code, stdout } = await sql('select 1 as one', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ columns: [{ name: 'one', type: 'integer' }], rows: [['1']], rows_left_out: 0 }],
      error: null,
    })
    expect(code).toBe(0)
    const refused = await sql('select 1 / 0', '--json')
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: '22012' } })
    expect(refused.code).toBe(1)
  })

  it('names the line and the character of a mistake', async () => {
    const { code, stderr } = await sql('select id\nfrom nots')
    expect(stderr).toMatch(
      /^tenantry: Postgres refused the SQL at line 2, character 6: Relation "nots" /,
    )
    expect(code).toBe(1)
  })

  it('names an unknown tenant and an unknown user', async () => {
    const other = await sql('select 1', '--tenant', 'missing')
    expect(other.stderr).toMatch(/There is no project missing/)
    const user = await sql('select 1', '--as', 'missing@example.com')
    expect(user.stderr).toMatch(/missing@example\.com/)
    expect([other.code, user.code]).toEqual([1, 1])
  })

  it('says how many rows are not shown', async () => {
    const { stdout } = await sql('select g from generate_series(1, 1200) as g')
    expect(stdout.trimEnd().split('\n').slice(-2)).toEqual(['1000', '(1200 rows, 200 not shown)'])
  })
})
