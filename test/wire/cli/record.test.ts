// `tenantry record -- <command>` between an application and a second emulator that plays the hosted platform.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionSettings, type ReadyLine } from '../../../emulator/index.ts'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const APPLICATION = resolve('test/support/recorded-application.ts')
const folder = temporaryFolder()
let at: TestEmulator
let ready: ReadyLine
beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.applyFixture('clinics')
  ready = await at.emulator.ready(at.url)
})
afterAll(async () => {
  folder.remove()
  await at[Symbol.asyncDispose]()
})

interface Entry {
  readonly request: { readonly method: string; readonly url: string }
  readonly response: { readonly status: number; readonly content: { readonly text: string } }
  readonly _plane: string
  readonly _webSocketMessages?: readonly { readonly type: string; readonly data: string }[]
}

const read = (file: string): { readonly text: string; readonly entries: readonly Entry[] } => {
  const text = readFileSync(file, 'utf8')
  return { text, entries: JSON.parse(text).log.entries }
}

describe('tenantry record', () => {
  it('records all planes of an application, masks its credentials, and ends with the command’s exit code', async () => {
    const out = join(folder.path, 'all.har')
    const settings = connectionSettings(ready, 'aurora')
    const run = spawnCli(
      ['record', '--target', at.url, '--out', out, '--', process.execPath, APPLICATION],
      settings,
    )
    const { code, stdout, stderr } = await run.ended
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '1 change\n' })
    const { entries, text } = read(out)
    expect(stderr).toBe(
      `tenantry: Recorded ${entries.length - 1} requests and 1 socket in ${out}.\n`,
    )
    expect(new Set(entries.map(({ _plane }) => _plane))).toEqual(
      new Set(['auth', 'data', 'storage', 'realtime']),
    )
    expect(entries.every(({ request: { url } }) => /^(http|ws):/.test(url))).toBe(true)
    expect(
      entries.every(({ request: { url } }) => new URL(url).host === new URL(at.url).host),
    ).toBe(true)
    const socket = entries.find(({ _webSocketMessages: frames }) => frames !== undefined)
    expect(socket?._webSocketMessages?.some(({ data }) => data.includes('postgres_changes'))).toBe(
      true,
    )
    const { TENANTRY_ANON_KEY: anon = '', TENANTRY_SERVICE_ROLE_KEY: service = '' } = settings
    const secrets = [anon, service, 'aurora-ana', 'not hers', 'v4.public.']
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(/eyJ[\w-]+\.[\w-]+\./.test(text)).toBe(false)
    expect(statSync(out).mode & 0o077).toBe(0)
  })

  it.each([
    ['leaves out an opaque body, which cannot be parsed', [], false],
    ['keeps an opaque body with --keep-opaque-bodies', ['--keep-opaque-bodies'], true],
  ])('%s', async (_, options, isKept) => {
    const out = join(folder.path, `opaque-${isKept}.har`)
    const script = `await fetch(process.env.TENANTRY_DATA_URL + '/treatments', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"half": "of a body' })`
    const run = runCli(
      [
        'record',
        '--target',
        at.url,
        '--out',
        out,
        ...options,
        '--',
        process.execPath,
        '-e',
        script,
      ],
      connectionSettings(ready, 'aurora'),
    )
    expect((await run.ended).code).toBe(0)
    expect(read(out).text.includes('of a body')).toBe(isKept)
  })

  it('replaces equal secrets with equal placeholders, and keeps the role and subject of tokens', async () => {
    const out = join(folder.path, 'equal.har')
    const script = `const key = process.env.TENANTRY_ANON_KEY
      const headers = { apikey: key, authorization: 'Bearer ' + key, 'x-customer': 'Ana' }
      await fetch(process.env.MY_API + '/treatments?select=name&limit=1', { headers })
      process.exit(9)`
    const variables = join(folder.path, 'hosted.env')
    writeFileSync(variables, `MY_API=${at.url}\nTENANTRY_ANON_KEY=${connectionKey()}\n`)
    const args = ['--target', at.url, '--out', out, '--env', variables, '--mask', 'x-customer,name']
    const run = runCli(['record', ...args, '--', process.execPath, '-e', script])
    expect((await run.ended).code).toBe(9)
    const { text } = read(out)
    expect(JSON.parse(text).log.entries[0]).toMatchObject({
      request: {
        url: `${at.url}/treatments?select=name&limit=1`,
        headers: expect.arrayContaining([
          { name: 'apikey', value: 'masked~token~1' },
          { name: 'authorization', value: 'Bearer masked~token~1' },
          { name: 'x-customer', value: 'masked~secret~1' },
        ]),
      },
      response: { content: { text: expect.stringContaining('"name":"masked~secret~2"') } },
      _credentials: [
        {
          placeholder: 'masked~token~1',
          claims: { role: 'anon', sub: 'apikey:anon', project_schema: 'proj_aurora' },
        },
      ],
    })
  })

  it('ends with exit code 125 and a sentence when the target is not an address', async () => {
    const run = runCli(['record', '--target', 'auth.example', '--', 'true'])
    expect(await run.ended).toMatchObject({
      code: 125,
      stderr:
        'tenantry: --target auth.example is not a valid address. Write it like https://auth.example.com.\n',
    })
  })
})

function connectionKey(): string {
  return connectionSettings(ready, 'aurora')['TENANTRY_ANON_KEY'] ?? ''
}
