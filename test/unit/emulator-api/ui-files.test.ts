// Serving the inspector's files: paths, compressed forms, and the Content Security Policy.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUiPath, serveUiFile } from '../../../emulator/api/emulator-api/ui-files.ts'
import { addressesOf } from '../../../emulator/server/hosts.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-ui-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'index.html.br'), 'brotli page')
  writeFileSync(join(folder, 'assets', 'index-a1.js'), 'plain script')
  writeFileSync(join(folder, 'assets', 'index-a1.js.br'), 'brotli script')
  writeFileSync(join(folder, 'assets', 'index-a1.js.gz'), 'gzip script')
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly origin?: string
  readonly adminToken?: string
  readonly from?: string
}

function ask(
  path: string,
  { method = 'GET', headers = {}, origin = 'http://127.0.0.1:7357', adminToken, from }: Asking = {},
): Promise<Response> {
  return serveUiFile(
    new Request(origin + path, { method, headers }),
    { addresses: addressesOf(origin) },
    from ?? folder,
    adminToken,
  )
}

describe('isUiPath', () => {
  it.each([
    ['/_emulator', true],
    ['/_emulator/', true],
    ['/_emulator/t/aurora/tables', true],
    ['/_emulator/v1', false],
    ['/_emulator/v1/info', false],
    ['/_emulator/v10', true],
  ])('for %s returns %s', (path, isUi) => {
    expect(isUiPath(path)).toBe(isUi)
  })
})

describe('the page server', () => {
  it.each(['/_emulator/', '/_emulator/t/aurora/tables/patients', '/_emulator/requests?q=1'])(
    'serves the same page for %s',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toBe('<!doctype html>')
    },
  )

  it('redirects to the address with a slash, and keeps the query', async () => {
    const answer = await ask('/_emulator?x=1')
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toBe('/_emulator/?x=1')
  })

  it('allows a page only its own scripts and requests to the emulator', async () => {
    const policy = (await ask('/_emulator/')).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self' 'unsafe-inline'`,
      `img-src 'self' data: blob: http://127.0.0.1:7357`,
      `media-src 'self' blob: http://127.0.0.1:7357`,
      `connect-src 'self' http://127.0.0.1:7357 ws://127.0.0.1:7357`,
      `font-src 'self'`,
      `frame-src 'self'`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ])
  })

  it('allows a page that was opened by host name to call the service hosts', async () => {
    const answer = await ask('/_emulator/', { origin: 'http://auth.localhost:7357' })
    expect(answer.headers.get('content-security-policy')).toContain(
      `connect-src 'self' http://auth.localhost:7357 http://api.localhost:7357 http://storage.localhost:7357 ws://realtime.localhost:7357;`,
    )
  })

  it('sends pages with no-referrer, nosniff and no-cache', async () => {
    const { headers } = await ask('/_emulator/')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it('answers 304 when the browser already has the page', async () => {
    const etag = (await ask('/_emulator/')).headers.get('etag') ?? ''
    const answer = await ask('/_emulator/', { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect(answer.status).toBe(304)
    expect(answer.headers.get('etag')).toBe(etag)
  })

  it('explains how to build the pages when they are missing', async () => {
    const answer = await ask('/_emulator/', { from: join(folder, 'nowhere') })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toContain('npm run build')
  })

  it('accepts only GET and HEAD', async () => {
    const answer = await ask('/_emulator/', { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })

  it('answers HEAD with the headers only', async () => {
    const answer = await ask('/_emulator/', { method: 'HEAD' })
    expect(answer.headers.get('content-length')).toBe('15')
    expect(await answer.text()).toBe('')
  })
})

describe('assets', () => {
  it.each([
    ['br, gzip', 'br', 'brotli script'],
    ['gzip', 'gzip', 'gzip script'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzip script'],
    ['', null, 'plain script'],
  ])('are sent in the best encoding that "%s" accepts', async (accepted, encoding, text) => {
    const answer = await ask('/_emulator/assets/index-a1.js', {
      headers: { 'accept-encoding': accepted },
    })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.text()).toBe(text)
  })

  it('can be cached forever', async () => {
    const { headers } = await ask('/_emulator/assets/index-a1.js')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it.each([
    'gone-b2.js',
    '..%2findex.html',
    '../index.html.br',
    'index-a1.js.br',
    '%2e%2e/%2e%2e/package.json',
    '',
  ])('are not served for the invalid name "%s"', async (name) => {
    const answer = await ask(`/_emulator/assets/${name}`)
    expect(await answer.text()).not.toContain('brotli')
    expect([404, 200]).toContain(answer.status)
    if (answer.status === 200) expect(answer.headers.get('content-type')).toContain('text/html')
  })
})

describe('the access check of the pages', () => {
  it('refuses a foreign host name', async () => {
    await expect(ask('/_emulator/', { origin: 'http://evil.test' })).rejects.toMatchObject({
      code: 'foreign_host',
    })
  })

  it('refuses a request from a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    await expect(ask('/_emulator/assets/index-a1.js', { headers })).rejects.toMatchObject({
      code: 'foreign_origin',
    })
  })

  it('allows every address when an admin token protects the API', async () => {
    const asking = { origin: 'http://10.0.0.7:7357', adminToken: 'secret' }
    expect((await ask('/_emulator/', asking)).status).toBe(200)
  })
})
