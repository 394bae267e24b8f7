// The row changes that a failed test of an application reports when its emulator records the history.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runSample } from '../../support/sample-run.ts'

const SQL = `create table notes (id integer primary key, owner uuid default gen_random_uuid(), title text);
create table logs (at timestamptz default now())`
const PLATFORM = `import { platformSetup } from 'tenantry/vitest/setup'
export const setup = platformSetup({ sql: ['schema.sql'], warm: 2, config: { history: true } })
`
const TESTS = `import { expect, vi } from 'vitest'
import { createEmulatorTest, createTest, test } from 'tenantry/vitest'
test('passes', async ({ tenant }) => {
  await tenant.sql("insert into notes (id, title) values (1, 'of another test')")
})
test('writes and fails', async ({ tenant }) => {
  vi.setSystemTime(0)
  await tenant.sql("insert into notes (id, title) values (2, 'second'); insert into logs default values")
  await tenant.sql("update notes set title = 'changed' where id = 2; delete from notes where id = 1")
  expect(1).toBe(2)
})
test('only reads', async ({ tenant }) => {
  await tenant.sql('select * from notes')
  expect(1).toBe(2)
})
test('writes much', async ({ tenant }) => {
  await tenant.sql("insert into notes (id, title) select place, repeat('x', 1000) from generate_series(100, 1299) as place")
  expect(1).toBe(2)
})
test('without a tenant', () => {
  expect(1).toBe(2)
})
const each = createTest({ scope: 'test' })
each('gone', async ({ tenant }) => {
  await tenant.sql("insert into notes (id, title) values (3, 'third')")
  expect(1).toBe(2)
})
const own = createEmulatorTest({ history: true }, (emulator) => emulator.tenant('other'))
own('in this process', async ({ tenant }) => {
  await tenant.sql("create table words (word text); insert into words values ('own')")
  expect(1).toBe(2)
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

/** The report of the changes, without the stack. */
const reportOf = (title: string): string =>
  /\n\nThe test changed [\s\S]*?\n(?= {4}at )/.exec(messages.get(title) ?? '')?.[0] ?? ''

it('a failed test names its row changes, without those of earlier tests', () => {
  const [, , head, ...lines] = reportOf('writes and fails').trimEnd().split('\n')
  expect(head).toMatch(/^The test changed 4 rows of proj_test_\d+:$/)
  expect(lines).toEqual(
    [
      { kind: 'INSERT', table: 'notes', row: { id: '2', owner: '<uuid 1>', title: 'second' } },
      { kind: 'INSERT', table: 'logs', row: { at: '<time 1>' } },
      {
        kind: 'UPDATE',
        table: 'notes',
        key: { id: '2' },
        columns: { title: ['second', 'changed'] },
      },
      {
        kind: 'DELETE',
        table: 'notes',
        row: { id: '1', owner: '<uuid 2>', title: 'of another test' },
      },
    ].map((change) => `  ${JSON.stringify(change)}`),
  )
})

it('a failed test adds nothing to its message when it changed no row, or when it uses no tenant', () => {
  expect(messages.get('only reads')).toMatch(/expected 1 to be 2/)
  expect(messages.get('only reads')).not.toMatch(/The test changed/)
  expect(messages.get('without a tenant')).not.toMatch(/The test changed/)
  expect(messages.get('passes')).toBe('')
})

it('a failed test prints only its last changes, and shortens them', () => {
  const report = reportOf('writes much')
  expect(report).toMatch(/The test changed at least 1000 rows of proj_test_\d+\. The last 20:\n/)
  expect(report.match(/"kind":"INSERT"/g)).toHaveLength(20)
  expect(report).toContain('"id":"1299"')
  expect(report).toMatch(/x…\n/)
})

it('a failed test reports changes of a purged tenant, and of an emulator in the same process', () => {
  expect(reportOf('gone')).toMatch(/changed 1 row of proj_test_\d+:\n {2}\{"kind":"INSERT".*third/)
  expect(reportOf('in this process')).toMatch(/changed 1 row of proj_\S+:\n.*"word":"own"/)
})
