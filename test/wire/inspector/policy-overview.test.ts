// GET /_emulator/v1/projects/:ref/policies: the answer is cached until the schema changes, and never outdated.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Json, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const sql = `create table boards (id int primary key, owner uuid); alter table boards enable row level security;
    create policy everybody on boards for select using (true); grant select on boards to anon;`
  await createGroup(at, 'boards', { sql })
})
afterAll(() => at[Symbol.asyncDispose]())

const PROJECT = '/_emulator/v1/projects/boards'
const overview = async (): Promise<Json> => {
  const { body } = await at.call<Json>('GET', `${PROJECT}/policies`)
  return body.tables.find(({ name }: Json) => name === 'boards')
}
/** The table's policies, without the policy that the platform adds to each table. */
const policies = async () =>
  (await overview()).policies
    .map(({ name }: Json) => name)
    .filter((name: string) => name !== 'service_role_all')
const rules = async () => (await overview()).warnings.map(({ rule }: Json) => rule)
const run = async (sql: string): Promise<void> => {
  const { body } = await at.call<Json>('POST', `${PROJECT}/sql`, {
    body: { sql, identity: 'owner' },
  })
  expect(body.error).toBeNull()
}

it('the policy overview shows each change of policies, grants, comments and tables at once', async () => {
  expect(await policies()).toEqual(['everybody'])
  expect(await rules()).toContain('policy-always-true')
  await run(
    `comment on policy everybody on boards is 'tenantry: allow policy-always-true the boards are public'`,
  )
  expect(await rules()).not.toContain('policy-always-true')
  await run('create policy own on boards for delete using (owner = auth.uid())')
  expect(await policies()).toEqual(['everybody', 'own'])
  await run('drop policy own on boards; revoke all on boards from anon')
  expect(await policies()).toEqual(['everybody'])
  expect(await overview()).toMatchObject({ grants: { anon: [] } })
  await run('alter table boards disable row level security')
  expect(await overview()).toMatchObject({ rls_enabled: false })
  await run('drop table boards')
  expect(await overview()).toBeUndefined()
})

it('the policy overview stays the same when only rows change', async () => {
  await run('create table lists (id int primary key)')
  const read = async () => (await at.call('GET', `${PROJECT}/policies`)).text
  const first = await read()
  await run('insert into lists values (1)')
  expect(await read()).toBe(first)
})
