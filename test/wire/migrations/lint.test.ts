// `POST /groups/:group/migrations/lint`: which steps are linted, and with which sizes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/fixture-folder.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'linted')
  await call('apply', [NOTES])
  tenant = await provisionTenant(at, group, 'linted_a')
  await provisionTenant(at, group, 'linted_b')
  await ask(at, 'linted_b', 'insert into notes select i from generate_series(1, 12000) as i')
})
afterAll(() => at[Symbol.asyncDispose]())

const NOTES = {
  file: '20260101000000_notes.sql',
  sql: 'create table notes (id int primary key);\nalter table notes enable row level security;',
}
const OPEN = {
  file: '20260102000000_open.sql',
  sql: '-- for the shop window\ncreate policy shop_window on notes to anon using (true);',
}

async function call(what: string, steps: readonly object[]): Promise<Json> {
  const path = `/_emulator/v1/groups/linted/migrations/${what}`
  const { body } = await at.call('POST', path, { body: { steps } })
  return body
}

describe('the lint route of the emulator’s own API', () => {
  it('lints only the steps that the template does not have', async () => {
    expect(await call('lint', [NOTES, OPEN])).toMatchObject({
      steps: [OPEN.file],
      findings: [{ file: OPEN.file, line: 2, rule: 'policy-always-true', severity: 'error' }],
    })
  })

  it('states how many rows a lock affects in the tenant with the most rows', async () => {
    const step = { file: '20260103000000_index.sql', sql: 'create index on notes (id);' }
    const { findings } = await call('lint', [NOTES, step])
    expect(findings).toMatchObject([{ rule: 'blocks-writers', severity: 'error' }])
    expect(findings[0].message).toContain('12000 rows')
  })

  it('accepts a lock on a table that is small in every tenant', async () => {
    const small = {
      file: '20260103000000_small.sql',
      sql: 'create table small (id int);\nalter table small enable row level security;',
    }
    await call('apply', [NOTES, small])
    const step = { file: '20260104000000_index.sql', sql: 'create index on small (id);' }
    expect(await call('lint', [NOTES, small, step])).toMatchObject({ findings: [] })
  })

  it('considers the template’s policies and keys, and measures a lookup without an index', async () => {
    await ask(
      at,
      'linted',
      `create table marks (id int primary key, note int references notes); alter table marks enable row level security;
       create policy by_note on marks to authenticated using (exists (select from notes where notes.id = 1))`,
    )
    await ask(
      at,
      'linted_b',
      'create table marks (id int, note int); insert into marks select i, 1 from generate_series(1, 300) as i',
    )
    const step = {
      file: '20260105000000_loop.sql',
      sql: `select 1;
create policy marked on notes to authenticated
  using (exists (select from marks where marks.note = notes.id));
-- tenantry: allow realtime-cannot-judge realtime is not used
alter policy by_note on marks using (exists (select from notes where notes.id = marks.id + 0));`,
    }
    const { findings } = await call('lint', [NOTES, step])
    expect(findings).toMatchObject([
      { line: 2, rule: 'policy-recursion', severity: 'error' },
      { line: 2, rule: 'realtime-cannot-judge', severity: 'warning' },
      { line: 2, rule: 'unindexed-foreign-key', severity: 'warning' },
    ])
    expect(findings[0].message).toContain(
      'by_note on marks reads notes; marked on notes reads marks',
    )
    expect(findings[2].message).toMatch(
      / In linted_b, a comparison reads 300 rows in \d+\.\d\d ms\.$/,
    )
  })

  it('names recorded requests that use a renamed or dropped column', async () => {
    const sql =
      'create table cards (id int primary key, title text, body text); alter table cards enable row level security'
    for (const project of ['linted', 'linted_a']) await ask(at, project, sql)
    const read = await at.call('GET', '/cards?select=id,title', {
      headers: { 'accept-profile': tenant.schemaName, apikey: tenant.anonKey },
      credential: tenant.anonKey,
    })
    expect(read.status).toBe(200)
    const step = {
      file: '20260107000000_rename.sql',
      sql: 'alter table cards rename column title to name;\nalter table cards drop column body;',
    }
    const { findings } = await call('lint', [NOTES, step])
    expect(findings).toMatchObject([
      { line: 1, rule: 'breaks-clients', severity: 'error' },
      { line: 2, rule: 'drops-data' },
    ])
    expect(findings[0].message).toMatch(
      /^Renaming cards\.title breaks .* 1 recorded request names it, the last one at 20\S+: GET \S*\/cards\?select=id,title\.$/,
    )
  })

  it('refuses a file without a step name, and names the file', async () => {
    const path = '/_emulator/v1/groups/linted/migrations/lint'
    const steps = [{ file: 'notes.sql', sql: 'select 1' }]
    const { body, status } = await at.call('POST', path, { body: { steps } })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('notes.sql is not a step name')
  })
})
