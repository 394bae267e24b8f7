// `tenantry bundle` and `tenantry open`: one developer saves a bundle, and another opens it.
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spawnCliIn } from '../../support/cli-process.ts'
import { runCli, runCliIn } from '../../support/cli-run.ts'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const embedded = onlyEmbedded('the states of a server are no files')

let at: TestEmulator
let folder: string
let refusedId: string
let listedId: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-cli-'))
  at = await startTestEmulator()
  const refused = await at.call('GET', '/platform/v1/projects', { credential: 'nonsense' })
  refusedId = refused.headers.get('x-request-id') ?? ''
  const listed = await at.call('GET', '/platform/v1/projects', { credential: at.session })
  listedId = listed.headers.get('x-request-id') ?? ''
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const bundle = (...args: string[]) => runCliIn(folder, ['bundle', '--url', at.url, ...args]).ended

embedded.it('tenantry open opens a packed state at the refused request', async () => {
  const made = await bundle('--out', 'bug.tenantry', '--note', 'no projects')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain(`It opens at the request ${refusedId}.`)
  expect(made.stdout).toContain('It contains keys')
  const path = join(folder, 'bug.tenantry')
  expect(statSync(path).mode & 0o777).toBe(0o600)

  const opened = runCli(['open', path, '--json'])
  const ready = (await opened.ready) as unknown as {
    readonly request_url: string
    readonly auth_url: string
    readonly bundle: object
  }
  expect(ready.bundle).toMatchObject({ note: 'no projects', request_id: refusedId })
  expect(ready.request_url).toBe(`${ready.auth_url}/_emulator/requests/${refusedId}`)
  expect(ready.auth_url).not.toBe(at.url)
  const answer = await fetch(`${ready.auth_url}/_emulator/v1/journal/${refusedId}`)
  expect(await answer.json()).toMatchObject({ entry: { status: 401 } })
  opened.child.kill('SIGTERM')
  expect((await opened.ended).code).toBe(0)
})

embedded.it('tenantry open --replay replays the request and compares the status', async () => {
  await bundle('--out', 'again.tenantry', '--request', listedId)
  const replayed = await runCliIn(folder, ['open', 'again.tenantry', '--replay']).ended
  expect(replayed).toMatchObject({ code: 0, stderr: '' })
  expect(replayed.stdout).toBe('GET /platform/v1/projects: 200, as recorded.\n')
})

it('tenantry bundle --without-state leaves the state out, and does not overwrite a file', async () => {
  const made = await bundle('--out', 'small.tenantry', '--without-state', '--json')
  expect(JSON.parse(made.stdout)).toMatchObject({ state: null, requests: 2 })
  const before = readFileSync(join(folder, 'small.tenantry'))
  const again = await bundle('--out', 'small.tenantry', '--without-state')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('small.tenantry exists already')
  expect(readFileSync(join(folder, 'small.tenantry'))).toEqual(before)
})

it('tenantry bundle leaves no file when it is refused', async () => {
  const before = readdirSync(folder)
  const refused = await bundle(
    '--out',
    'none.tenantry',
    '--request',
    'req_nothing',
    '--without-state',
  )
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('no request req_nothing')
  expect(readdirSync(folder)).toEqual(before)
})

it.skipIf(process.platform === 'win32')('tenantry bundle leaves no file after Ctrl-C', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const before = readdirSync(folder)
  const { child, ended } = spawnCliIn(folder, ['bundle', '--url', url, '--out', 'none.tenantry'])
  await until(() => readdirSync(folder).length > before.length)
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  expect(readdirSync(folder)).toEqual(before)
  silent.close()
})

it('tenantry open refuses a damaged file with an error message', async () => {
  const path = join(folder, 'damaged.tenantry')
  writeFileSync(path, 'no bundle')
  const { code, stderr } = await runCli(['open', path]).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^tenantry: damaged\.tenantry is damaged or not a bundle: .*\n$/)
  expect(existsSync(path)).toBe(true)
})
