// tenantry/node-test with Node's own runner: in its own process, inside `tenantry exec`, and after a refused request.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLI_COMMAND, temporaryFolder } from '../../support/cli-process.ts'

const FAILING = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenantOfFile } from 'tenantry/node-test'
const { clock, tenant } = await tenantOfFile()
test('refused', async () => {
  const visitor = await tenant.as()
  const headers = { 'content-type': 'application/json' }
  const answer = await visitor.fetch('/notes', { method: 'POST', headers, body: '{"title":"x"}' })
  assert.equal(answer.status, 201)
})
test('moves the clock', async () => {
  await clock.freeze('2040-01-01T00:00:00Z')
  assert.equal(await clock.now(), '2040-01-01T00:00:00.000Z')
})
test('has the time of the machine again', async () => {
  assert.notEqual((await clock.now()).slice(0, 4), '2040')
})
`

const folder = temporaryFolder()
const app = join(folder.path, 'app')
beforeAll(() => {
  mkdirSync(join(folder.path, 'node_modules'), { recursive: true })
  symlinkSync(resolve('.'), join(folder.path, 'node_modules/tenantry'))
  cpSync('fixtures/samples/node-test', app, { recursive: true })
  writeFileSync(join(app, 'failing.mjs'), FAILING)
})
afterAll(() => folder.remove())

/** Runs a command line in the sample. Returns its output. */
function run(command: readonly string[]): Promise<string> {
  // Node's runner takes a process with this variable for a part of another run.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const [program = '', ...args] = command
  return new Promise((done) => {
    execFile(program, args, { cwd: app, env }, (_error, stdout, stderr) => done(stdout + stderr))
  })
}

const nodeTest = (file: string): readonly string[] => [
  process.execPath,
  '--test',
  '--test-reporter=tap',
  file,
]

it('a file starts an emulator in memory when none runs', async () => {
  const output = await run(nodeTest('notes.test.js'))
  expect(output).toMatch(/# pass 1\n# fail 0/)
}, 280_000)

it('a file uses the emulator of tenantry exec, and a failed test prints the reason of a refused request', async () => {
  const output = await run([...CLI_COMMAND, 'exec', '--', ...nodeTest('failing.mjs')])
  expect(output).toMatch(/# pass 2\n# fail 1/)
  expect(output).toMatch(/# The emulator refused 1 request of proj_test_\d+ in this test:/)
  expect(output).toMatch(/401 42501 {2}POST \/notes {2}proj_test_\d+ anon/)
}, 280_000)
