// Serving the documentation site: paths, caching, and the answer before the site is built.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDocsPath, serveDocsFile } from '../../../emulator/api/emulator-api/docs-files.ts'

const NOWHERE = '/no/such/folder'

let folder: string
beforeAll(() => {
  const above = mkdtempSync(join(tmpdir(), 'tenantry-docs-'))
  folder = join(above, 'docs-site')
  mkdirSync(join(folder, 'guide'), { recursive: true })
  mkdirSync(join(folder, 'assets/chunks'), { recursive: true })
  writeFileSync(join(above, 'x.html'), 'outside')
  writeFileSync(join(folder, 'index.html'), 'landing page')
  writeFileSync(join(folder, '.hidden.html'), 'hidden')
  writeFileSync(join(folder, 'guide/ci.html'), 'CI')
  writeFileSync(join(folder, 'assets/chunks/@search.a1.js'), 'index')
  writeFileSync(join(folder, 'assets/home.b2.webp'), 'picture')
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly origin?: string
  readonly adminToken?: string
  readonly from?: string
  readonly isRemote?: boolean
}

function ask(
  path: string,
  { method = 'GET', headers = {}, origin = 'http://127.0.0.1:7357', ...more }: Asking = {},
): Promise<Response> {
  const { adminToken, from, isRemote = false } = more
  const asked = new Request(origin + path, { method, headers })
  return serveDocsFile(asked, { isRemote }, from ?? folder, adminToken)
}

describe('isDocsPath', () => {
  it.each([
    ['/_emulator/docs', true],
    ['/_emulator/docs/guide/ci.html', true],
    ['/_emulator/docsomething', false],
    ['/_emulator/t/aurora/docs', false],
  ])('for %s returns %s', (path, isDocs) => {
    expect(isDocsPath(path)).toBe(isDocs)
  })
})

describe('the documentation site', () => {
  it.each([
    ['', 'landing page', 'text/html; charset=utf-8', 'no-cache'],
    ['index.html?q=1', 'landing page', 'text/html; charset=utf-8', 'no-cache'],
    ['guide/ci.html', 'CI', 'text/html; charset=utf-8', 'no-cache'],
    ['assets/chunks/@search.a1.js', 'index', 'text/javascript; charset=utf-8', 'immutable'],
    ['assets/home.b2.webp', 'picture', 'image/webp', 'immutable'],
  ])('serves "%s"', async (path, text, type, caching) => {
    const answer = await ask(`/_emulator/docs/${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toContain(caching)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe(text)
  })

  it('redirects to the address with a slash', async () => {
    const answer = await ask('/_emulator/docs')
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/_emulator/docs/'])
  })

  it('answers 304 when the browser already has the page', async () => {
    const etag = (await ask('/_emulator/docs/guide/ci.html')).headers.get('etag') ?? ''
    const again = await ask('/_emulator/docs/guide/ci.html', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('allows its pages their own files only', async () => {
    const policy = (await ask('/_emulator/docs/')).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).toContain(`connect-src 'self';`)
    expect(policy).toContain(`frame-ancestors 'none'`)
  })

  it.each([
    '%2e%2e/x.html',
    '..%2fx.html',
    '%2e%2e%2fx.html',
    '..%5cx.html',
    '.hidden.html',
    'guide/%2e%2e/%2e%2e/x.html',
    '/etc/passwd',
    'guide//ci.html',
    'guide/ci.html%00.js',
    'guide',
  ])('has no file "%s"', async (path) => {
    const answer = await ask(`/_emulator/docs/${path}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ])
  })

  it('accepts only GET and HEAD', async () => {
    expect((await ask('/_emulator/docs/', { method: 'POST' })).status).toBe(405)
    const head = await ask('/_emulator/docs/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('explains how to build it when it is not built', async () => {
    const answer = await ask('/_emulator/docs/', { from: NOWHERE })
    expect(answer.status).toBe(503)
    expect(await answer.text()).toMatch(
      /^The documentation site is not built\.\n\nRun "npm run docs:site"/,
    )
  })

  it.each<[string, Asking]>([
    ['foreign_host', { origin: 'http://attacker.test' }],
    ['foreign_origin', { headers: { origin: 'http://attacker.test' } }],
    ['foreign_peer', { isRemote: true }],
  ])('refuses with %s what the inspector refuses', async (code, asking) => {
    await expect(ask('/_emulator/docs/', asking)).rejects.toMatchObject({ code })
  })

  it('is served to other machines when an admin token is set', async () => {
    const answer = await ask('/_emulator/docs/', { isRemote: true, adminToken: 'secret' })
    expect(answer.status).toBe(200)
  })
})
