// GET /_emulator/: the inspector's pages beside the emulator's own API (docs/reference/emulator-api.md). Needs `npm run build`, as `npm ci` does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

const HTML = 'text/html; charset=utf-8'

describe('the inspector’s pages', () => {
  it.each(['/_emulator/', '/_emulator/t/aurora/policies'])('are served at %s', async (path) => {
    const { status, headers, text } = await at.call('GET', path)
    expect([status, headers.get('content-type')]).toEqual([200, HTML])
    expect(text).toContain('<div id="root">')
  })

  it('are served after a redirect from the address without a slash', async () => {
    const { status, headers } = await at.call('GET', '/_emulator')
    expect([status, headers.get('content-type')]).toEqual([200, HTML])
  })

  it('have a Content-Security-Policy without inline scripts and foreign hosts', async () => {
    const { headers } = await at.call('GET', '/_emulator/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`default-src 'none'; script-src 'self';`)
    expect(policy).toContain(`connect-src 'self' ${at.url} ${at.url.replace('http', 'ws')};`)
    expect(policy).toContain(`frame-ancestors 'none'`)
  })

  it('load only scripts of the emulator, which are cached as immutable', async () => {
    const { text } = await at.call('GET', '/_emulator/')
    expect(text).not.toMatch(/<script(?![^>]* src=)/)
    const script = /src="(\/_emulator\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const { status, headers } = await at.call('GET', script, {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('content-encoding')).toBe('br')
    expect(headers.get('cache-control')).toContain('immutable')
  })

  it('are answered with 304 when the browser already has them', async () => {
    const { headers } = await at.call('GET', '/_emulator/')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await at.call('GET', '/_emulator/', { headers: known })).status).toBe(304)
  })

  it('return 404 for a file that does not exist', async () => {
    expect((await at.call('GET', '/_emulator/assets/nothing.js')).status).toBe(404)
  })

  it('are not returned for an unknown path of the emulator’s own API', async () => {
    const { status, body } = await at.call('GET', '/_emulator/v1/nothing')
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  it('are refused to a page of a foreign site', async () => {
    const headers = { origin: 'http://evil.test' }
    const { status, body } = await at.call('GET', '/_emulator/', { headers })
    expect([status, body.error.code]).toEqual([403, 'foreign_origin'])
  })
})

describe('with an admin token', () => {
  it('the page is served and the API requires the token', async () => {
    await using guarded = await startTestEmulator({ adminToken: 'correct horse battery' })
    const page = await guarded.call('GET', '/_emulator/')
    const api = await guarded.call('GET', '/_emulator/v1/info')
    expect([page.status, api.status, api.body.error.code]).toEqual([
      200,
      401,
      'admin_token_required',
    ])
  })
})
