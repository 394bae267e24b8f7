// `tenantry migrate rehearse` against a running emulator.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { ask } from '../../support/fixture-folder.ts'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const sql =
    'create table notes (id int primary key, title text); alter table notes enable row level security;'
  const group = await createGroup(at, 'shop', { sql })
  for (const slug of ['aurora', 'borealis']) {
    await provisionTenant(at, group, slug)
    await ask(at, slug, "insert into notes values (1, 'a | b')")
  }
  await ask(at, 'borealis', 'create view titles as select title from notes')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

function rehearse(sql: string, ...args: readonly string[]): Promise<Ended> {
  const path = mkdtempSync(join(folder.path, 'steps-'))
  writeFileSync(join(path, '20260101000000_change.sql'), sql)
  return runCli(['migrate', 'rehearse', '--url', at.url, '--group', 'shop', '--dir', path, ...args])
    .ended
}

const OPEN = 'create policy open on notes to anon using (true);\n'

it('prints each project, the rows that become visible, and that nothing was applied', async () => {
  const { code, stdout } = await rehearse(OPEN)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^shop: ok, 1 pending, 0 rows changed, \d+ ms$/m)
  expect(stdout).toContain('  anon newly sees 1 row of notes, e.g. {"id":"1","title":"a | b"}\n')
  expect(stdout).toContain(
    'Nothing was applied. The steps would succeed in every rehearsed tenant.',
  )
})

it('ends with exit code 1 and names the tenant, step and statement when a statement would fail', async () => {
  const { code, stdout } = await rehearse('select 1;\nalter table notes drop column title;\n')
  expect(code).toBe(1)
  expect(stdout).toContain('aurora: ok')
  expect(stdout).toMatch(
    /^borealis: fails at 20260101000000_change\.sql:2: .+ \(2BP01\) in: alter table notes drop column title$/m,
  )
  expect(stdout).toContain('The steps would fail in 1 of 2 tenants.')
})

it('prints JSON of the named tenants', async () => {
  const { stdout } = await rehearse(OPEN, '--json', '--tenants', 'aurora')
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    tenants: [
      { slug: 'aurora', ok: true, visibility: [{ table: 'notes', identity: 'anon', gained: 1 }] },
    ],
  })
})

it('prints Markdown in which no value breaks a table', async () => {
  const { stdout } = await rehearse(OPEN, '--markdown')
  expect(stdout).toContain('### Rehearsal of shop: all steps would succeed')
  expect(stdout).toContain('| aurora | notes | anon | +1 −0 | {"id":"1","title":"a \\| b"} |')
})
