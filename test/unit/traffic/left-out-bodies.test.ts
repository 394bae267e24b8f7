// Uploads and downloads can be compared when the recording has only a part of their bodies, or no body.
import { expect, it } from 'vitest'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { reachEmulator } from '../../../emulator/platform/http-client/running-emulator.ts'
import { comparisonOf } from '../../../emulator/workflow/traffic/compare/comparison.ts'
import { platformAt } from '../../../emulator/workflow/traffic/replay/platform-at.ts'
import { recordedBasesOf, replay } from '../../../emulator/workflow/traffic/replay/replay.ts'
import { startRecordingProxy, type TestProxy } from '../../support/recording-proxy.ts'
import { callsTo, startTestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const MAX_BODY_BYTES = 1_000
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Files by name: type, content, and whether the recording has the content. */
const FILES: Readonly<Record<string, readonly [type: string, bytes: Buffer, isKept: boolean]>> = {
  'a.png': ['image/png', PNG, true],
  'a.bin': ['application/octet-stream', Buffer.from([0, 255, 1, 254, 0, 27, 200]), true],
  'large.bin': ['application/octet-stream', Buffer.alloc(5_000, 0xfe), false],
  'large.txt': ['text/plain', Buffer.from('words '.repeat(1_000)), false],
  'utf16.txt': ['text/plain', Buffer.from('password=hidden in UTF-16', 'utf16le'), false],
  'broken.json': ['application/json', Buffer.from('{"password":"hidden"'), false],
}

async function upload(proxy: TestProxy, bucket: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (const [name, [type, bytes]] of Object.entries(FILES)) {
    const object = `${proxy.url}/storage/v1/object/${bucket}/${name}`
    const body = new Uint8Array(bytes)
    const sent = { ...headers, 'content-type': type }
    const stored = await fetch(object, { method: 'POST', headers: sent, body })
    expect([name, stored.status]).toEqual([name, 200])
    await stored.arrayBuffer()
    const read = await fetch(object, { headers })
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
  }
}

it('a comparison with left-out bodies finds no difference between two emulators, and finds a planted difference', async () => {
  await using hosted = await startTestEmulator()
  await hosted.emulator.applyFixture('clinics')
  await using proxy = await startRecordingProxy(hosted.url, MAX_BODY_BYTES)
  const { groups } = await hosted.emulator.ready(hosted.url)
  const [tenant] = groups.flatMap(({ tenants }) => tenants)
  const credential = tenant?.service_role_key ?? ''
  const { body: exchange } = await callsTo(proxy.url)('POST', '/st/v1/token', { credential })
  const name = `${tenant?.schema_name}_files`
  const bucket = { credential: exchange.token, body: { name } }
  expect((await callsTo(proxy.url)('POST', '/storage/v1/bucket', bucket)).status).toBe(200)
  await upload(proxy, name, exchange.token)
  await until(() => proxy.entries.length === 2 + 2 * Object.keys(FILES).length)
  expect(JSON.stringify(proxy.entries)).not.toContain('hidden')
  for (const { request, response } of proxy.entries) {
    const [, , isKept] = FILES[request.url.split('/').at(-1) ?? ''] ?? []
    if (isKept === undefined) continue
    const body = request.method === 'POST' ? request.postData : response.content
    expect([request.url, body?._sha256 === undefined]).toEqual([request.url, isKept])
  }

  const http = createHttpClient({ wallClock: new SystemClock() })
  const compare = async (entries: typeof proxy.entries) => {
    await using other = await startTestEmulator()
    await other.emulator.applyFixture('clinics')
    return comparisonOf(
      await replay({
        entries,
        recordedBases: recordedBasesOf(entries, {}),
        maxBodyBytes: MAX_BODY_BYTES,
        platform: await platformAt(other.url, reachEmulator(other.url, undefined, http), http),
      }),
    )
  }
  expect(await compare(proxy.entries)).toMatchObject({ differences: [], score: 100 })
  const isDownload = (name: string, { request }: (typeof proxy.entries)[number]): boolean =>
    request.method === 'GET' && request.url.endsWith(name)
  const planted = proxy.entries.map((entry) =>
    isDownload('utf16.txt', entry)
      ? {
          ...entry,
          response: {
            ...entry.response,
            content: { ...entry.response.content, _sha256: 'f'.repeat(64) },
          },
        }
      : entry,
  )
  const { differences } = await compare(planted)
  expect(differences.map(({ at, target }) => [at, target?.split('/').at(-1)])).toEqual([
    ['body', 'utf16.txt'],
  ])
})
