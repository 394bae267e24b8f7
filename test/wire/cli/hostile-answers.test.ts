// Commands that send requests to another process end with an error message, whatever this process answers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCli } from '../../support/cli-run.ts'
import { type HostileAnswer, startHostileServer } from '../../support/hostile-server.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const MIGRATIONS = join(folder.path, 'migrations')
mkdirSync(MIGRATIONS)
writeFileSync(join(MIGRATIONS, '20260101000000_a.sql'), 'create table a ();')

const SENTENCES: Readonly<Record<HostileAnswer, RegExp>> = {
  'no first byte': /sent no answer within 1 s\. .*TENANTRY_ANSWER_TIMEOUT/s,
  'a trickle': /sent only \d+ bytes of its answer in 1 s\. .*TENANTRY_ANSWER_TIMEOUT/s,
  'an endless body': /sent more than 64 MB\. .*TENANTRY_MAX_ANSWER_MB/s,
  'a gzip bomb': /sent more than 64 MB\. .*TENANTRY_MAX_ANSWER_MB/s,
  'a depth bomb': /sent JSON nested deeper than 500 levels\./,
  'ten million elements': /sent JSON with more than 2,000,000 values\./,
}

const KEYS = { TENANTRY_REMOTE_SESSION_TOKEN: 'session', TENANTRY_REMOTE_GROUP_API_KEY: 'sdb_gk_x' }

/** A recording with one request, whose answer is `[]`. */
function recording(): string {
  const path = join(folder.path, 'recording.har')
  const base = 'https://auth.example.com'
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: `${base}/.well-known/jwks.json`, headers: [] },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', size: 2 } },
    _order: 0,
    _ended: 1,
    _plane: 'auth',
    _base: base,
  }
  const head = { format: 1, maxBodyBytes: 1_000_000, targets: { auth: base } }
  writeFileSync(path, JSON.stringify({ log: { _tenantry: head, entries: [entry] } }))
  return path
}

const COMMANDS: Readonly<Record<string, (url: string) => readonly string[]>> = {
  pull: (url) => ['pull', '--url', url, '--project', 'shop', '--out', join(folder.path, 'pulled')],
  'migrate --remote': (url) => [
    'migrate',
    'apply',
    '--remote',
    url,
    '--group',
    'grp_x',
    '--dir',
    MIGRATIONS,
  ],
  'compare --url': (url) => ['compare', recording(), '--url', url],
  conformance: (url) => ['conformance', '--target', url, '--only', 'auth.md'],
  'a call of an emulator': (url) => ['snapshot', 'list', '--url', url],
}

const IMPATIENT = { TENANTRY_ANSWER_TIMEOUT: '1' }

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): CliRun =>
  runCli(args, { ...KEYS, ...env })

async function endOf(command: string, answer: HostileAnswer): Promise<Ended> {
  await using server = await startHostileServer(answer)
  const isSlow = answer === 'no first byte' || answer === 'a trickle'
  return await run(COMMANDS[command]?.(server.url) ?? [], isSlow ? IMPATIENT : {}).ended
}

describe('tenantry pull', () => {
  it.each(Object.keys(SENTENCES) as HostileAnswer[])(
    'reports the problem with %s',
    async (answer) => {
      const { code, stderr } = await endOf('pull', answer)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(SENTENCES[answer]),
      })
    },
  )
})

// The other commands need fewer cases, because all commands use the same HTTP client.
describe.each(Object.keys(COMMANDS).slice(1))('%s', (command) => {
  it.each(['a trickle', 'an endless body'] as const)(
    'reports the problem with %s',
    async (answer) => {
      const { code, stderr } = await endOf(command, answer)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(SENTENCES[answer]),
      })
    },
  )
})

describe('the limits of answers', () => {
  it('can be set by environment variables', async () => {
    await using server = await startHostileServer('an endless body')
    const pull = COMMANDS['pull']?.(server.url) ?? []
    const { stderr } = await run(pull, { TENANTRY_MAX_ANSWER_MB: '2' }).ended
    expect(stderr).toMatch('sent more than 2 MB.')
    const wrong = await run(pull, { TENANTRY_MAX_ANSWER_MB: '2.5' }).ended
    expect(wrong.stderr).toMatch(
      'TENANTRY_MAX_ANSWER_MB is "2.5", not a whole number from 1 to 500.',
    )
  })
})

describe('a call of a suspended emulator', () => {
  it('ends with an error message that names the reason', async () => {
    const emulator = spawnCli([
      'start',
      '--memory',
      '--port',
      '0',
      '--postgres-port',
      '0',
      '--json',
    ])
    try {
      const { auth_url: url } = await emulator.ready
      emulator.child.kill('SIGSTOP')
      const { code, stderr } = await run(['snapshot', 'list', '--url', url], IMPATIENT).ended
      const sentence = expect.stringMatching(SENTENCES['no first byte'])
      expect({ code, stderr }).toEqual({ code: 1, stderr: sentence })
    } finally {
      emulator.child.kill('SIGKILL')
      await emulator.ended
    }
  })
})
