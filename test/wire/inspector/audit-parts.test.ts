// POST /_emulator/v1/projects/:ref/audit/parts: an audit that is sent in parts (contract/audit.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'parted', {
    sql: `create table a_large (id int primary key, kind int);
      create table notes (id int primary key);
      alter table a_large enable row level security;
      create policy low_kinds on a_large using (kind < 2);
      grant select on all tables in schema proj_parted to anon;`,
  })
  const tenant = await provisionTenant(at, group, 'parts')
  const body = {
    identity: 'owner',
    sql: 'insert into a_large select n, n % 7 from generate_series(1, 1500) as n',
  }
  await at.call('POST', `/_emulator/v1/projects/${tenant.slug}/sql`, { body })
})
afterAll(() => at[Symbol.asyncDispose]())

const audit = (path: string) =>
  at.call('POST', `/_emulator/v1/projects/parts/${path}`, { body: { users: 0 } })

describe('an audit in parts', () => {
  it('begins with the names of the tables, sends small tables first, and ends with the whole audit', async () => {
    const { headers, status, text } = await audit('audit/parts')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines: readonly Json[] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ kind, table }) => table?.name ?? kind)).toEqual([
      'begun',
      'notes',
      'a_large',
      'audit',
    ])
    const [begun, notes, large, { audit: whole }] = lines
    expect(begun.tables).toEqual(['a_large', 'notes'])
    expect(whole.tables).toEqual([large.table, notes.table])
    const { body } = await audit('audit')
    const { duration_ms: _, findings: proven, ...same } = whole
    expect(body).toMatchObject(same)
    expect(proven).toHaveLength(body.findings.length)
  })

  it('refuses an unknown tenant as other routes do', async () => {
    const answer = await at.call('POST', '/_emulator/v1/projects/missing/audit/parts')
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
  })
})
