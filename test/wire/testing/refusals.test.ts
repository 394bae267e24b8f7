// The refused requests that a failed test of an application reports, without `tenantry exec`.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runSample } from '../../support/sample-run.ts'

const SQL = `create table notes (id serial primary key, owner uuid default auth.uid(), title text);
alter table notes enable row level security;
create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid() and title <> 'no');
`
const PLATFORM = `import { platformSetup } from 'tenantry/vitest/setup'
export const setup = platformSetup({ sql: ['schema.sql'], warm: 2 })
`
const TESTS = `import { expect, vi } from 'vitest'
import { createEmulatorTest, createTest, test } from 'tenantry/vitest'
const write = async (user, title) => {
  const headers = { 'content-type': 'application/json' }
  return (await user.fetch('/notes', { method: 'POST', headers, body: JSON.stringify({ title }) })).status
}
test('refused', async ({ asUser }) => {
  const user = await asUser()
  expect(await write(user, 'yes')).toBe(201)
  expect(await write(user, 'no')).toBe(201)
})
test('nothing refused', async ({ tenant }) => {
  expect(tenant.slug).toBe('another')
})
test('passes', async ({ asUser }) => {
  expect(await write(await asUser(), 'no')).toBe(403)
})
test('without a tenant', () => {
  expect(1).toBe(2)
})
test('many', async ({ asUser }) => {
  vi.setSystemTime(0)
  const user = await asUser()
  for (let times = 0; times < 12; times += 1) await write(user, 'no')
  expect(1).toBe(2)
})
const each = createTest({ scope: 'test' })
each('gone', async ({ tenant }) => {
  const headers = { apikey: tenant.anonKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'nobody@x.test', password: 'wrong horse' })
  const answer = await fetch(tenant.url + '/auth/v1/signin', { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
})
const own = createEmulatorTest()
own('in this process', async ({ tenant }) => {
  const reader = await tenant.as()
  const answer = await reader.fetch('/nowhere')
  expect((await answer.json()).code).toBe('none')
})
`

const folder = temporaryFolder()
let messages: ReadonlyMap<string, string>
beforeAll(async () => {
  messages = await runSample(folder.path, {
    'schema.sql': SQL,
    'platform.ts': PLATFORM,
    'notes.test.ts': TESTS,
  })
}, 280_000)
afterAll(() => folder.remove())

const HEAD = /\n\nThe emulator refused /

it('a failed test names the requests that were refused during the test, with the reason at that time', () => {
  expect(messages.get('refused')).toMatch(
    /expected 403 to be 201[^\n]*\n\nThe emulator refused 1 request of proj_test_\d+ in this test:\n {2}\S+ {2}403 42501 {2}POST \/notes {2}proj_test_\d+ authenticated\n {6}[^\n]*own[^\n]*\n/,
  )
})

it('a failed test adds nothing to its message when no request was refused, or when it uses no tenant', () => {
  expect(messages.get('nothing refused')).toMatch(/to be 'another'/)
  expect(messages.get('nothing refused')).not.toMatch(HEAD)
  expect(messages.get('without a tenant')).toMatch(/expected 1 to be 2/)
  expect(messages.get('without a tenant')).not.toMatch(HEAD)
  expect(messages.get('passes')).toBe('')
})

it('a failed test prints only the last refused requests', () => {
  const message = messages.get('many') ?? ''
  expect(message).toMatch(/refused 12 requests of proj_test_\d+ in this test\. The last 5:\n/)
  expect(message.match(/ 403 42501 /g)).toHaveLength(5)
})

it('a failed test explains requests of a purged tenant, and of an emulator in the same process', () => {
  expect(messages.get('gone')).toMatch(/\/auth\/v1\/signin/)
  expect(messages.get('gone')).not.toMatch(/purged/)
  expect(messages.get('in this process')).toMatch(/404 PGRST205 {2}GET \S*\/nowhere/)
})
