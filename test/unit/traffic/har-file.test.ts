import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { HarEntry } from '../../../emulator/workflow/traffic/har/har.ts'
import { createHarFile } from '../../../emulator/workflow/traffic/har/har-file.ts'
import { parseHar, readHar } from '../../../emulator/workflow/traffic/har/read-har.ts'
import { temporaryFolder } from '../../support/cli-process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const entry = (place: number): HarEntry =>
  ({
    startedDateTime: '2026-03-02T10:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'https://api.x.test/é', headers: [] },
    response: { status: 200, headers: [], content: { mimeType: '', size: 0 } },
    _order: place,
    _ended: place + 1,
    _plane: 'data',
    _base: 'https://api.x.test',
  }) as unknown as HarEntry

it('the recording is a complete HAR file after every entry, and only its owner can read the file', () => {
  const path = join(folder.path, 'traffic.har')
  writeFileSync(path, 'an older file that anyone can read', { mode: 0o644 })
  const file = createHarFile(path, '1.0', {
    format: 1,
    targets: {},
    maxBodyBytes: 10,
    masked: [],
  })
  for (const count of [0, 1, 2]) {
    const { entries } = JSON.parse(readFileSync(path, 'utf8')).log
    expect(entries.map(({ _order }: HarEntry) => _order)).toEqual([0, 2].slice(0, count))
    file.add(entry(count * 2))
  }
  file.close()
  expect(readHar(path).log).toMatchObject({
    version: '1.2',
    creator: { name: 'tenantry record', version: '1.0' },
  })
  expect(statSync(path).mode & 0o077).toBe(0)
})

it.each(['https://elsewhere.test/', 'https://api.x.test@elsewhere.test/', 'https://api.x.test:1/'])(
  'a recording with a request to %s, an address outside its service, is refused',
  (url) => {
    const at = entry(0)
    const entries = [{ ...at, request: { ...at.request, url } }]
    const log = { _tenantry: { format: 1, maxBodyBytes: 10 }, entries }
    expect(() => parseHar(JSON.stringify({ log }), 'x.har')).toThrow('must continue _base')
  },
)

it.each([
  { method: 'G T' },
  { url: 'https://api.x.test/a b' },
  { headers: [{ name: 'x y', value: '' }] },
  { headers: [{ name: 'x', value: 'a\r\nb: c' }] },
])('a recording with a request that cannot be sent is refused: %j', (changes) => {
  const at = entry(0)
  const log = {
    _tenantry: { format: 1, maxBodyBytes: 10 },
    entries: [{ ...at, request: { ...at.request, ...changes } }],
  }
  expect(() => parseHar(JSON.stringify({ log }), 'x.har')).toThrow('log.entries.0.request')
})

it.each([
  ['{', 'x.har is not JSON.'],
  [
    '{"log":{"version":"1.2","entries":[]}}',
    'x.har is not a recording of "tenantry record": log._tenantry',
  ],
])('a file other than a recording is refused: %s', (text, message) => {
  expect(() => parseHar(text, 'x.har')).toThrow(message)
})
