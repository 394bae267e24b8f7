// `tenantry record` and `tenantry compare` with a target over TLS, as the hosted platform is.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectionSettings } from '../../../emulator/index.ts'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { CERTIFICATE, type SecureEmulator, startSecureEmulator } from '../../support/tls-front.ts'

const folder = temporaryFolder()
const out = join(folder.path, 'secure.har')
let hosted: SecureEmulator
beforeAll(async () => {
  hosted = await startSecureEmulator()
  await hosted.at.emulator.applyFixture('clinics')
})
afterAll(async () => {
  folder.remove()
  await hosted[Symbol.asyncDispose]()
})

interface Entry {
  readonly request: { readonly url: string }
  readonly _plane: string
  readonly _webSocketMessages?: readonly { readonly data: string }[]
}

it('records requests and sockets of all planes over https and wss, and a comparison finds no difference', async () => {
  const ready = await hosted.at.emulator.ready(hosted.url)
  const application = [process.execPath, resolve('test/support/recorded-application.ts')]
  const recorded = await spawnCli(
    ['record', '--target', hosted.url, '--out', out, '--', ...application],
    { ...connectionSettings(ready, 'aurora'), NODE_EXTRA_CA_CERTS: CERTIFICATE },
  ).ended
  expect(recorded).toMatchObject({ code: 0, stdout: '1 change\n' })
  const entries: readonly Entry[] = JSON.parse(readFileSync(out, 'utf8')).log.entries
  expect(new Set(entries.map(({ _plane }) => _plane))).toEqual(
    new Set(['auth', 'data', 'storage', 'realtime']),
  )
  const secureHost = new URL(hosted.url).host
  const insecure = entries.filter(({ request: { url } }) => {
    const { host, protocol } = new URL(url)
    return host !== secureHost || !/^(https|wss):$/.test(protocol)
  })
  expect(insecure).toEqual([])
  const frames = entries.flatMap(({ _webSocketMessages: sent = [] }) => sent)
  expect(frames.some(({ data }) => data.includes('postgres_changes'))).toBe(true)
  const compared = await runCli(['compare', out, '--fixture', 'clinics']).ended
  expect(compared).toMatchObject({ code: 0, stderr: '' })
  expect(compared.stdout).toContain('100')
})
