// Wrong options and files. The command fails, and its message says what is wrong or what to change, without a stack trace.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CLI_COMMAND, runProgram, temporaryFolder } from '../../support/cli-process.ts'
import { runCliIn } from '../../support/cli-run.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

it.skipIf(process.platform === 'win32')(
  'ends without an error when the process that reads its output ends first',
  async () => {
    const ended = await runProgram(['sh', '-c', '"$@" | true', 'sh', ...CLI_COMMAND, 'list']).ended
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  },
)

it('names --admin-token when an emulator needs the token', async () => {
  await using at = await startTestEmulator({ adminToken: 'a token of the emulator' })
  const { code, stderr } = await runCliIn(folder.path, ['env', '--url', at.url]).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/started with an admin token.* Give it with --admin-token\.\n$/)
})

it('names "tenantry open" when a bundle is given as a fixture', async () => {
  writeFileSync(join(folder.path, 'bug.tenantry'), '')
  const args = ['exec', '--fixture', 'bug.tenantry', '--', 'true']
  const { code, stderr } = await runCliIn(folder.path, args).ended
  expect(code).toBe(125)
  expect(stderr).toMatch(/bug\.tenantry is not a fixture\. Open it with "tenantry open"\.\n$/)
})

it('suggests the full command when a subcommand is given without its parent command', async () => {
  const { code, stderr } = await runCliIn(folder.path, ['lint']).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^tenantry: There is no command lint\. Did you mean "tenantry migrate lint"\?\n/,
  )
})

it('refuses to compare a recording without a request', async () => {
  const log = { _tenantry: { format: 1, maxBodyBytes: 1 }, entries: [] }
  writeFileSync(join(folder.path, 'empty.har'), JSON.stringify({ log }))
  const { code, stderr } = await runCliIn(folder.path, ['compare', 'empty.har']).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^tenantry: empty\.har contains no request\. Record again\./)
})

it('gives no score when every request of the recording is skipped', async () => {
  const base = 'https://storage.hosted.test'
  const entry = {
    startedDateTime: '2026-03-02T10:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: `${base}/s3/bucket?x-amz-signature=abc`, headers: [] },
    response: { status: 200, headers: [], content: { mimeType: 'text/plain', size: 0, text: '' } },
    _order: 1,
    _ended: 2,
    _plane: 'storage',
    _base: base,
  }
  const targets = { auth: base, data: base, storage: base, realtime: base }
  const log = { _tenantry: { format: 1, maxBodyBytes: 1, targets, masked: [] }, entries: [entry] }
  writeFileSync(join(folder.path, 'signed.har'), JSON.stringify({ log }))
  const { code, stdout } = await runCliIn(folder.path, ['compare', 'signed.har']).ended
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /The signature of S3 covers the recorded address\.\n\nNo request was compared\.\n$/,
  )
})

it('keeps an earlier recording when the port of --port is taken', async () => {
  await using taken = await startTestEmulator()
  const out = join(folder.path, 'earlier.har')
  writeFileSync(out, 'earlier')
  const ends = ['--port', new URL(taken.url).port, '--', 'true']
  const { code } = await runCliIn(folder.path, [
    'record',
    '--target',
    taken.url,
    '--out',
    out,
    ...ends,
  ]).ended
  expect(code).toBe(125)
  expect(readFileSync(out, 'utf8')).toBe('earlier')
})

it('ends with an error and records nothing when the file of --env does not exist', async () => {
  const args = ['record', '--target', 'http://127.0.0.1:1', '--env', 'none', '--', 'true']
  expect(await runCliIn(folder.path, args).ended).toMatchObject({
    code: 125,
    stderr: 'tenantry: There is no file none. Name another file with --env.\n',
  })
})

it.each([
  [['list', '--nonsense'], /^tenantry: unknown option '--nonsense'\nRun "tenantry list --help"/],
  [
    ['fixture', 'export', '--nonsense'],
    /^tenantry: unknown option '--nonsense'\nRun "tenantry fixture export --help"/,
  ],
  [['stop', '--pid', 'zero'], /Write the number that "tenantry list" shows\./],
  [['clock', 'set', 'tomorrow'], /Write an instant such as 2027-01-01T09:00:00Z\./],
  [['conformance', '--target', 'example'], /Write it like https:\/\/auth\.example\.com\./],
  [['start', '--freeze', 'tomorrow'], /Write an instant such as 2027-01-01T09:00:00Z\./],
  [['compare', 'none.har'], /^tenantry: There is no file none\.har\. Give a file that/],
  [['compare', '.'], /^tenantry: \. cannot be read: it is a folder\./],
  [['open', '.'], /^tenantry: \. cannot be read: it is a folder\./],
  [
    ['bundle', '--out', 'none/x.tenantry'],
    /^tenantry: none\/x\.tenantry cannot be written: its folder does not exist\. Name a file/,
  ],
])('%j says what to do, without a stack trace', async (args, sentence) => {
  const { code, stderr, stdout } = await runCliIn(folder.path, args).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toContain('    at ')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
})

it('leaves no data directory when the first start finds its port taken', async () => {
  await using taken = await startTestEmulator()
  const args = ['start', '--port', new URL(taken.url).port, '--data-dir', 'new-data']
  const { code, stderr } = await runCliIn(folder.path, args).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^tenantry: Port \d+ on 127\.0\.0\.1 is already in use\./)
  expect(existsSync(join(folder.path, 'new-data'))).toBe(false)
})

it.each([
  [['start', '--engine-memory', '1'], 'Write a number of megabytes from 256 to 2048.'],
  [['fault', 'arm', 'latency'], 'The effect latency needs --ms.'],
  [['fault', 'arm', 'error'], 'The effect error needs --code.'],
])('says what to change in %j', async (args, sentence) => {
  const { code, stderr } = await runCliIn(folder.path, args).ended
  expect(code).toBe(1)
  expect(stderr).toContain(sentence)
})
