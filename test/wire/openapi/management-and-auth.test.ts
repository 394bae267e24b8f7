// Every operation of the management and auth documents answers as documented (docs/guide/openapi.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { freshCode } from '../../support/authenticator.ts'
import { type DocumentedTraffic, watchTraffic } from '../../support/documented-traffic.ts'
import { click, fragmentOf, nextMessage } from '../../support/mailbox.ts'
import {
  begin,
  locationOf,
  openSocialBrowser,
  REDIRECT,
  VERIFIER,
} from '../../support/social-browser.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: AuthWorld
let traffic: DocumentedTraffic
beforeAll(async () => {
  world = await startAuthWorld()
  await world.at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  traffic = await watchTraffic(world.at, ['management', 'auth'])
})
afterAll(async () => {
  traffic.stop()
  await world[Symbol.asyncDispose]()
})

/** Sends a request with the dashboard's session, or with another credential. The answer must be a success. */
async function manage(
  method: string,
  path: string,
  body?: object,
  credential: string = world.at.session,
): Promise<Json> {
  return granted(await world.at.call(method, path, { credential, ...(body && { body }) }))
}

describe('the management document', () => {
  it('describes accounts', async () => {
    const account = { email: 'vendor@example.com', password: 'long enough' }
    await manage('POST', '/platform/v1/signup', account)
    await manage('POST', '/platform/v1/session', account)
    const again = await world.at.call('POST', '/platform/v1/signup', { body: account })
    expect(again.status).toBe(409)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes projects, their keys, SQL and buckets', async () => {
    const { id } = await manage('POST', '/platform/v1/projects', {
      name: 'Notes',
      slug: 'notes',
      plan: 'free',
    })
    const project = `/platform/v1/projects/${id}`
    await manage('GET', '/platform/v1/projects')
    await manage('GET', project)
    await manage('PATCH', project, { name: 'Other notes', plan: 'pro' })
    await manage('POST', `${project}/keys/regenerate`)
    const key = await manage('POST', `${project}/db/keys`, { label: 'ci', expires_in_days: 1 })
    await manage('GET', `${project}/db/keys`)
    await manage('POST', `${project}/db/exec`, { sql: 'create table notes (id int)' }, key.key)
    await manage('POST', `${project}/db/exec`, { sql: 'select 1 as n' })
    await manage('POST', `${project}/db/exec`, { sql: 'select nothing' })
    await manage('GET', `${project}/db/connection-string`, undefined, key.key)
    await manage('POST', `${project}/buckets`, { name: 'files', public: true })
    await manage('GET', `${project}/buckets`)
    await manage('DELETE', `${project}/db/keys/${key.id}`)
    await manage('DELETE', project)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes groups and templates', async () => {
    const source = await manage('POST', '/platform/v1/projects', { name: 'Shop', slug: 'source' })
    const { id } = await manage('POST', '/platform/v1/groups', {
      name: 'Shops',
      template_project_id: source.schema_name,
    })
    const group = `/platform/v1/groups/${id}`
    await manage('GET', '/platform/v1/groups')
    await manage('PATCH', group, { description: 'All shops' })
    const key = await manage('POST', `${group}/keys`, { label: 'backend' })
    await manage('GET', `${group}/keys`)
    await manage('POST', `${group}/template/publish`)
    await manage('POST', `/groups/v1/${id}/template/publish`, { name: 'Spring' }, key.key)
    await manage('GET', `/groups/v1/${id}`, undefined, key.key)
    await manage('GET', group)
    await manage('DELETE', `${group}/keys/${key.id}`)
    await manage('DELETE', group)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes tenants', async () => {
    const { id, key } = world.group
    const tenants = `/groups/v1/${id}/tenants`
    const ask = (method: string, path: string, body?: object) =>
      manage(method, `${tenants}${path}`, body, key)
    await ask('POST', '', { slug: 'acme', external_id: 'C-17', metadata: { a: 1 } })
    await ask('GET', '?limit=1&offset=0')
    await ask('GET', '/acme')
    await ask('POST', '/acme/keys', {})
    await ask('DELETE', '/acme')
    await ask('DELETE', '/acme/purge', { confirm_slug: 'acme' })
    const refused = await world.at.call('GET', `${tenants}?limit=0`, { credential: key })
    expect(refused.status).toBe(400)
    expect(await traffic.problems()).toEqual([])
  })
})

describe('the auth document', () => {
  it('describes passwords and sessions', async () => {
    const email = world.freshEmail()
    granted(await world.auth('POST', '/signup', { email, password: PASSWORD, data: { a: 1 } }))
    const signedIn = granted(await world.auth('POST', '/signin', { email, password: PASSWORD }))
    const { refresh_token } = signedIn
    const session = granted(await world.auth('POST', '/token/refresh', { refresh_token }))
    const own = (method: string, path: string, body?: object) =>
      world.auth(method, path, body, session.access_token)
    granted(await own('GET', '/user'))
    granted(await own('PATCH', '/user', { data: { city: 'Lisbon' } }))
    granted(
      await own('PUT', '/user/password', {
        new_password: 'another one',
        current_password: PASSWORD,
      }),
    )
    granted(await own('POST', '/signout', { scope: 'others' }))
    granted(await own('DELETE', '/user'))
    expect((await own('GET', '/user')).status).toBe(401)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes messages', async () => {
    const email = world.freshEmail()
    granted(await world.auth('POST', '/otp/send', { email, channel: 'email' }))
    const { code } = await nextMessage(world, email)
    granted(await world.auth('POST', '/otp/verify', { email, code }))
    granted(await world.auth('POST', '/signin/magic-link', { email, redirect_to: REDIRECT }))
    expect((await click((await nextMessage(world, email)).link)).status).toBe(302)
    granted(await world.auth('POST', '/password/forgot', { email, redirect_to: REDIRECT }))
    const { token } = fragmentOf((await nextMessage(world, email)).link)
    granted(await world.auth('POST', '/password/reset', { token, new_password: PASSWORD }))
    expect((await world.auth('POST', '/otp/verify', { email, code })).status).toBe(400)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes a sign-up that waits for a confirmation', async () => {
    await world.settings({ confirm_email: true })
    granted(await world.auth('POST', '/signup', { email: world.freshEmail(), password: PASSWORD }))
    await world.settings({ confirm_email: false })
    expect(await traffic.problems()).toEqual([])
  })

  it('describes social sign-in', async () => {
    const browser = openSocialBrowser(world.at.url)
    const consent = await begin(world)
    await browser.open(consent)
    const chosen = { decision: 'new', name: 'Ana', email: world.freshEmail() }
    const decided = await browser.decide(consent, chosen)
    const landed = await browser.open(locationOf(decided))
    const code = new URL(locationOf(landed)).searchParams.get('code')
    granted(await world.auth('POST', '/token/exchange', { code, code_verifier: VERIFIER }))
    const page = await browser.open('/auth/v1/callback/google?state=x', { accept: 'text/html' })
    expect(page.status).toBe(400)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes second factors', async () => {
    const { access_token, user } = await world.freshUser()
    const own = (method: string, path: string, body?: object) =>
      world.auth(method, path, body, access_token)
    const factor = granted(await own('POST', '/mfa/enroll', { factorType: 'totp' }))
    const proof = { factorId: factor.id, code: await freshCode(world, factor.secret) }
    granted(await own('POST', '/mfa/verify', proof))
    granted(await own('GET', '/mfa'))
    granted(await world.auth('POST', '/signin', { email: user.email, password: PASSWORD }))
    granted(await own('DELETE', `/mfa/${factor.id}`))
    expect(await traffic.problems()).toEqual([])
  })
})

it('the tests use every documented operation', async () => {
  expect(await traffic.unseen()).toEqual([])
})
