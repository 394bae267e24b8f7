// Social login: /authorize, the consent page's answers and /callback (docs/wire/auth.md#social).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, refusalOf, startAuthWorld } from '../../support/auth-world.ts'
import {
  authorizeQuery,
  begin,
  locationOf,
  openSocialBrowser,
  REDIRECT,
  type SocialBrowser,
} from '../../support/social-browser.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
let browser: SocialBrowser
beforeAll(async () => {
  world = await startAuthWorld()
  browser = openSocialBrowser(world.at.url)
})
afterAll(() => world[Symbol.asyncDispose]())

const person = () => ({ name: 'Nina Nova', email: world.freshEmail() })

/** Opens a consent page in the browser. Returns its address. */
async function consent(provider = 'google'): Promise<string> {
  const url = await begin(world, provider)
  await browser.open(url)
  return url
}

/** Sends the user's decision. Returns the address of the callback. */
async function decided(url: string, fields: Record<string, string>): Promise<string> {
  return locationOf(await browser.decide(url, fields))
}

describe('GET /auth/v1/authorize/:provider', () => {
  it('returns the address of the consent page as JSON with return=json', async () => {
    const answer = await world.auth('GET', `/authorize/google?${authorizeQuery()}`)
    expect([answer.status, new URL(answer.body.url).pathname]).toEqual([
      200,
      '/auth/v1/consent/google',
    ])
  })

  it('redirects to the consent page without return=json, and reads the project from ?apikey=', async () => {
    const query = authorizeQuery({ return: '', apikey: world.tenant.anonKey })
    const answer = await browser.open(`/auth/v1/authorize/github?${query}`)
    expect([answer.status, new URL(locationOf(answer)).pathname]).toEqual([
      302,
      '/auth/v1/consent/github',
    ])
  })

  it('reads the project from X-SuperDB-Project', async () => {
    const path = `/auth/v1/authorize/google?${authorizeQuery()}`
    const answer = await world.at.call('GET', path, { headers: { 'x-superdb-project': 'shop' } })
    expect(answer.status).toBe(200)
  })

  it('refuses a request that names no project', async () => {
    const answer = await world.at.call('GET', `/auth/v1/authorize/google?${authorizeQuery()}`)
    expect(refusalOf(answer)).toBe('400 invalid_request')
  })

  it.each(['myspace', 'constructor', 'Google'])('refuses the unknown provider %s', async (name) => {
    const answer = await world.auth('GET', `/authorize/${name}?${authorizeQuery()}`)
    expect(refusalOf(answer)).toBe('400 oauth_not_enabled')
  })

  it('refuses a provider that the project has not enabled', async () => {
    await world.settings({ providers: ['google'] })
    const answer = await world.auth('GET', `/authorize/github?${authorizeQuery()}`)
    await world.settings({ providers: null })
    expect(refusalOf(answer)).toBe('400 oauth_not_enabled')
  })

  it.each([
    ['no challenge', { code_challenge: '' }],
    ['a short challenge', { code_challenge: 'a'.repeat(42) }],
    ['a long challenge', { code_challenge: 'a'.repeat(129) }],
    ['a challenge that is no base64url', { code_challenge: `${'a'.repeat(42)}=` }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: '' }],
  ] as const)('refuses %s as invalid_pkce', async (_, changes) => {
    const answer = await world.auth('GET', `/authorize/google?${authorizeQuery(changes)}`)
    expect(refusalOf(answer)).toBe('400 invalid_pkce')
  })

  it.each(['https://evil.example/', 'javascript:alert(1)', 'http://localhost.evil.example/'])(
    'refuses the redirect address %s',
    async (redirectTo) => {
      const query = authorizeQuery({ redirect_to: redirectTo })
      expect(refusalOf(await world.auth('GET', `/authorize/google?${query}`))).toBe(
        '400 invalid_redirect',
      )
    },
  )

  it('refuses a bad key with an HTML page in a browser', async () => {
    const query = authorizeQuery({ return: '', apikey: 'nonsense' })
    const answer = await browser.open(`/auth/v1/authorize/google?${query}`, { accept: 'text/html' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      401,
      'text/html; charset=utf-8',
    ])
  })

  it('refuses a parameter that occurs twice', async () => {
    const query = `${authorizeQuery()}&redirect_to=http://localhost:1/`
    expect(refusalOf(await world.auth('GET', `/authorize/google?${query}`))).toBe(
      '400 invalid_request',
    )
  })
})

describe('GET /auth/v1/callback/:provider', () => {
  const account = () => ({ decision: 'new', ...person() })

  it('returns to the application without a code when the user denies', async () => {
    const landed = await browser.open(await decided(await consent(), { decision: 'deny' }))
    const address = new URL(locationOf(landed))
    expect([landed.status, address.origin + address.pathname]).toEqual([302, REDIRECT])
    expect(Object.fromEntries(address.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the sign-in with Google.',
    })
  })

  it('leaves the state valid for the browser when a program requests the address with HEAD', async () => {
    const callback = await decided(await consent(), account())
    await fetch(new URL(callback, world.at.url), { method: 'HEAD', redirect: 'manual' })
    const landed = await browser.open(callback)
    expect(new URL(locationOf(landed)).searchParams.has('code')).toBe(true)
  })

  it('returns with server_error when the provider fails', async () => {
    const landed = await browser.open(await decided(await consent(), { decision: 'error' }))
    expect(new URL(locationOf(landed)).searchParams.get('error')).toBe('server_error')
  })

  it('refuses a code that the provider never issued', async () => {
    const address = await decided(await consent(), account())
    const forged = address.replace(/code=[^&]+/, 'code=forged')
    const landed = await browser.open(forged)
    expect(new URL(locationOf(landed)).searchParams.get('error')).toBe('server_error')
  })

  it('keeps the query of the application’s address', async () => {
    const url = await begin(world, 'google', { redirect_to: `${REDIRECT}?tab=1` })
    await browser.open(url)
    const landed = await browser.open(await decided(url, account()))
    expect(locationOf(landed)).toMatch(/\?tab=1&code=[\w-]{43}$/)
  })

  // cspell:disable-next-line
  it.each(['', '?state=', '?state=shop.unknown', '?state=nobody.x', '?state=shop'])(
    'refuses an unknown state: %j',
    async (query) => {
      const answer = await browser.open(`/auth/v1/callback/google${query}`)
      expect(refusalOf(answer)).toBe('400 oauth_state_invalid')
    },
  )

  it('refuses a state that was used', async () => {
    const address = await decided(await consent(), account())
    await browser.open(address)
    expect(refusalOf(await browser.open(address))).toBe('400 oauth_state_invalid')
  })

  it('refuses a state that expired', async () => {
    const address = await decided(await consent(), account())
    await world.advance(601)
    expect(refusalOf(await browser.open(address))).toBe('400 oauth_state_invalid')
  })

  it('refuses the state of another provider', async () => {
    const address = await decided(await consent('google'), account())
    const answer = await browser.open(address.replace('/google?', '/github?'))
    expect(refusalOf(answer)).toBe('400 oauth_state_invalid')
  })

  it('refuses a browser that did not open the consent page, and keeps the sign-in of the first browser valid', async () => {
    const address = await decided(await consent(), account())
    const stranger = openSocialBrowser(world.at.url)
    expect(refusalOf(await stranger.open(address))).toBe('400 oauth_state_unbound')
    expect((await browser.open(address)).status).toBe(302)
  })

  it('refuses the cookie of another sign-in', async () => {
    const address = await decided(await begin(world), account())
    await consent()
    expect(refusalOf(await browser.open(address))).toBe('400 oauth_state_unbound')
  })

  it('shows the refusal as a page when the browser accepts HTML', async () => {
    const answer = await browser.open('/auth/v1/callback/google', { accept: 'text/html,*/*;q=0.8' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ])
    expect(answer.text).toContain('<code>oauth_state_invalid</code>')
  })

  it('refuses a deleted project’s state', async () => {
    const tenant = await provisionTenant(world.at, world.group, 'gone')
    const started = await world.at.call('GET', `/auth/v1/authorize/google?${authorizeQuery()}`, {
      headers: { apikey: tenant.anonKey },
    })
    const address = await decided(started.body.url, account())
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/gone`, {
      credential: world.group.key,
    })
    expect(refusalOf(await browser.open(address))).toBe('400 oauth_state_invalid')
  })
})
