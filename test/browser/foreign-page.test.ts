// A web page of another origin on this machine, in a real browser. The page can neither sign in to the management plane nor read
// the developer's data. It can read a tenant's data, as on the hosted platform.
import { createServer, type Server } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from '../support/test-emulator.ts'

/** The result of a page's `fetch`: a status that the page could read, `opaque` or `blocked`. */
type Outcome = number | 'opaque' | 'blocked'

interface PageServer {
  readonly origin: string
  readonly server: Server
}

async function servePage(): Promise<PageServer> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>page</title>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return { origin: `http://127.0.0.1:${address.port}`, server }
}

async function ask(page: Page, url: string, init: RequestInit = {}): Promise<Outcome> {
  return page.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target, options as RequestInit)
        return response.type === 'opaque' ? 'opaque' : response.status
      } catch {
        return 'blocked'
      }
    },
    [url, init] as const,
  )
}

describe.skipIf(CHROMIUM === undefined)(`a page of another origin${CHROMIUM_HINT}`, () => {
  let context: BrowserContext
  let foreign: PageServer
  let allowed: PageServer
  let at: TestEmulator
  let group: TestGroup
  let tenant: TestTenant
  let login: string

  beforeAll(async () => {
    foreign = await servePage()
    allowed = await servePage()
    at = await startTestEmulator({ allowOrigins: [allowed.origin] })
    group = await createGroup(at, 'clinic', { sql: 'create table rooms (id int primary key)' })
    tenant = await provisionTenant(at, group, 'north')
    login = JSON.stringify((await at.emulator.ready(at.url)).platform)
    context = await (await workerChromium()).newContext()
  })
  afterAll(async () => {
    await context?.close()
    foreign.server.close()
    allowed.server.close()
    await at?.[Symbol.asyncDispose]()
  })

  async function open(origin: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const refusals = async (): Promise<Json[]> => {
    const { body } = await at.call('GET', '/_emulator/v1/journal?service=control&status=403')
    return body.entries
  }

  it('cannot sign in, even with the right password and a request that needs no preflight', async () => {
    const page = await open(foreign.origin)
    const url = `${at.url}/platform/v1/session`
    const before = (await refusals()).length
    const text = { method: 'POST', body: login, headers: { 'content-type': 'text/plain' } }
    const json = { method: 'POST', body: login, headers: { 'content-type': 'application/json' } }
    expect(await ask(page, url, text)).toBe('blocked')
    expect(await ask(page, url, json)).toBe('blocked')
    expect(await ask(page, url, { ...text, mode: 'no-cors' })).toBe('opaque')
    const after = await refusals()
    expect(after.slice(0, after.length - before).map((entry) => entry.error_code)).toEqual([
      'foreign_origin',
      'foreign_origin',
      'foreign_origin',
    ])
  })

  it('cannot post a form to the emulator', async () => {
    const page = await open(foreign.origin)
    const answered = page.waitForResponse(/\/platform\/v1\/signup$/)
    await page.evaluate((action) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action, enctype: 'text/plain' })
      document.body.append(form)
      form.submit()
    }, `${at.url}/platform/v1/signup`)
    expect((await answered).status()).toBe(403)
  })

  it('cannot read the developer’s data, whatever credential the page sends', async () => {
    const page = await open(foreign.origin)
    const outcomes = [
      await ask(page, `${at.url}/platform/v1/groups`, { headers: bearer(at.session) }),
      await ask(page, `${at.url}/groups/v1/${group.id}/tenants`, { headers: bearer(group.key) }),
      await ask(page, `${at.url}/platform/v1/projects/${group.templateId}/db/exec`, {
        method: 'POST',
        headers: { ...bearer(at.session), 'content-type': 'application/json' },
        body: '{"sql":"select 1"}',
      }),
      await ask(page, `${at.url}/_emulator/v1/info`),
      await ask(page, `${at.url}/_emulator/v1/journal`),
    ]
    expect(outcomes).toEqual(outcomes.map(() => 'blocked'))
  })

  it('reads a tenant’s rows with the tenant’s key', async () => {
    const page = await open(foreign.origin)
    const headers = { ...bearer(tenant.anonKey), apikey: tenant.anonKey }
    expect(await ask(page, `${at.url}/rooms`, { headers })).toBe(200)
  })

  it('uses the management plane when its origin is allowed', async () => {
    const page = await open(allowed.origin)
    const json = { method: 'POST', body: login, headers: { 'content-type': 'application/json' } }
    expect(await ask(page, `${at.url}/platform/v1/session`, json)).toBe(200)
    expect(await ask(page, `${at.url}/platform/v1/groups`, { headers: bearer(at.session) })).toBe(
      200,
    )
  })

  it('uses the management plane when it has the emulator’s own origin', async () => {
    const page = await open(`${at.url}/_emulator/`)
    expect(await ask(page, '/platform/v1/groups', { headers: bearer(at.session) })).toBe(200)
    const json = { method: 'POST', body: login, headers: { 'content-type': 'application/json' } }
    expect(await ask(page, '/platform/v1/session', json)).toBe(200)
  })
})
