// POST /auth/v1/signin/magic-link and its click on GET /auth/v1/verify (docs/wire/auth.md#magic-link).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  claimsOf,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { click, messageCount, nextMessage } from '../../support/mailbox.ts'
import { provisionTenant, type TestTenant } from '../../support/test-emulator.ts'

const LIFETIME = 3_600
const APP = 'http://localhost:5173/after?from=mail'
const LISTED = 'https://app.example.com/welcome'
const NORMAL = { confirm_email: null, signup_closed: null, redirect_urls: null }

let world: AuthWorld
let neighbour: TestTenant
beforeAll(async () => {
  world = await startAuthWorld()
  neighbour = await provisionTenant(world.at, world.group, 'neighbour')
})
afterEach(() => world.settings(NORMAL))
afterAll(() => world[Symbol.asyncDispose]())

const ask = (body: unknown) => world.auth('POST', '/signin/magic-link', body)

/** Asks for a link and reads it from the mailbox. */
async function linkFor(email: string, more: object = { redirect_to: APP }): Promise<string> {
  granted(await ask({ email, ...more }))
  const { link, purpose } = await nextMessage(world, email)
  expect(purpose).toBe('magic_link')
  return link
}

/** The same link with other parameters. */
function changed(link: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(link)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

describe('POST /auth/v1/signin/magic-link', () => {
  it('gives the same answer for a known address and for an unknown address that may not sign up', async () => {
    const { user } = await world.freshUser()
    const unknown = world.freshEmail()
    await world.settings({ signup_closed: true })
    const answers = [await ask({ email: user.email }), await ask({ email: unknown })]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { expires_in: LIFETIME }],
      [200, { expires_in: LIFETIME }],
    ])
    expect([await messageCount(world, user.email), await messageCount(world, unknown)]).toEqual([
      1, 0,
    ])
  })

  it('sends nothing to an unknown address with create_user false', async () => {
    const email = world.freshEmail()
    granted(await ask({ email, create_user: false }))
    expect(await messageCount(world, email)).toBe(0)
  })

  it('accepts a listed redirect address', async () => {
    await world.settings({ redirect_urls: [LISTED] })
    const link = await linkFor(world.freshEmail(), { redirect_to: LISTED })
    expect((await click(link)).address).toBe(LISTED)
  })

  it('redirects to the first listed address when the request has none', async () => {
    await world.settings({ redirect_urls: [LISTED, 'https://example.com'] })
    expect((await click(await linkFor(world.freshEmail(), {}))).address).toBe(LISTED)
  })

  it('redirects to port 3000 when no address is requested or listed', async () => {
    const link = await linkFor(world.freshEmail(), { redirect_to: null })
    expect((await click(link)).address).toBe('http://localhost:3000')
  })

  it.each([
    'https://app.example.com/welcome/',
    'https://app.example.com/welcome?a=1',
    'https://app.example.com/welcome#a',
    'http://localhost.example.com',
    'http://localhost@example.com',
    'http://localhost:3000/\r\nset-cookie:a=b',
    'javascript:alert(1)',
    '',
    'ü'.repeat(10_000),
  ])('refuses the redirect address %j', async (redirect_to) => {
    await world.settings({ redirect_urls: [LISTED] })
    expect(refusalOf(await ask({ email: world.freshEmail(), redirect_to }))).toBe(
      '400 invalid_redirect',
    )
  })

  it('explains how to allow a redirect address', async () => {
    const redirect_to = 'http://acme.localhost:5173/'
    const email = world.freshEmail()
    const { body } = await ask({ email, redirect_to })
    expect(body.error.message).toMatch(
      /^redirect_to "http:\/\/acme\.localhost:5173\/" is not an address .* Add exactly this address to "redirect_urls": under "auth" .* fixture\.yaml/,
    )
    await world.settings({ redirect_urls: [redirect_to] })
    expect((await ask({ email, redirect_to })).status).toBe(200)
  })

  it.each([
    ['no address', {}],
    ['a phone', { email: '+5511999' }],
    ['a list as the address', { email: ['a@example.com'] }],
    ['a NUL in the address', { email: 'a\0@example.com' }],
    ['an address of 10 kB', { email: `a@${'a'.repeat(10_000)}` }],
    ['a list as redirect_to', { email: 'a@example.com', redirect_to: [APP] }],
    ['a NUL in redirect_to', { email: 'a@example.com', redirect_to: `${APP}\0` }],
    ['create_user as text', { email: 'a@example.com', create_user: 'yes' }],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await ask(body))).toBe('400 invalid_request')
  })
})

describe('a click on a magic link', () => {
  it('returns with tokens in the fragment, and no data_plane_token', async () => {
    const { user } = await world.freshUser()
    const { status, address, query, fragment, headers } = await click(await linkFor(user.email))
    expect([status, address, query]).toEqual([302, 'http://localhost:5173/after', { from: 'mail' }])
    expect(fragment).toEqual({
      access_token: expect.stringMatching(/^v4\.public\./),
      refresh_token: expect.any(String),
      expires_in: '3600',
      token_type: 'bearer',
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('returns the tokens of a session', async () => {
    const { user } = await world.freshUser()
    const { fragment } = await click(await linkFor(user.email))
    const me = await world.auth('GET', '/user', undefined, fragment['access_token'])
    expect(me.body.user.id).toBe(user.id)
    const { body } = await world.auth('POST', '/token/refresh', {
      refresh_token: fragment['refresh_token'],
    })
    expect(claimsOf(body.data_plane_token)).toMatchObject({
      sub: user.id,
      amr: [{ method: 'magiclink', timestamp: expect.any(Number) }],
    })
  })

  it('creates a user for a new address, and confirms the address', async () => {
    const email = world.freshEmail()
    const { fragment } = await click(await linkFor(email))
    const me = await world.auth('GET', '/user', undefined, fragment['access_token'])
    expect(me.body.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
  })

  it('needs no key and no header', async () => {
    const link = new URL(await linkFor(world.freshEmail()))
    expect(link.pathname).toBe('/auth/v1/verify')
    expect((await click(link.href)).fragment['token_type']).toBe('bearer')
  })

  it('works only once', async () => {
    const link = await linkFor(world.freshEmail())
    await click(link)
    const { status, address, query, fragment } = await click(link)
    expect([status, address, fragment]).toEqual([302, 'http://localhost:5173/after', {}])
    expect(query).toEqual({
      from: 'mail',
      error: 'invalid_otp',
      error_description: 'The link was used before.',
    })
  })

  it('works only once, even with many simultaneous clicks', async () => {
    const link = await linkFor(world.freshEmail())
    const landings = await Promise.all(Array.from({ length: 5 }, () => click(link)))
    expect(landings.filter(({ fragment }) => 'access_token' in fragment)).toHaveLength(1)
  })

  it('works for an hour', async () => {
    const [inTime, late] = [await linkFor(world.freshEmail()), await linkFor(world.freshEmail())]
    await world.advance(LIFETIME - 10)
    expect((await click(inTime)).fragment).toHaveProperty('access_token')
    await world.advance(20)
    expect((await click(late)).query).toMatchObject({
      error: 'invalid_otp',
      error_description: 'The link has expired.',
    })
  })

  it('still works after a mail program has requested the link with HEAD', async () => {
    const link = await linkFor(world.freshEmail())
    expect((await click(link, 'HEAD')).status).toBe(200)
    expect((await click(link)).fragment).toHaveProperty('access_token')
  })

  it('is refused in another project or for another purpose, and the link stays valid', async () => {
    const link = await linkFor(world.freshEmail())
    for (const other of [{ project: neighbour.slug }, { type: 'confirmation' }]) {
      const { status } = await click(changed(link, other))
      expect(status).toBe(400)
    }
    expect((await click(link)).fragment).toHaveProperty('access_token')
  })

  it('reports to the application that sign-up was closed after the link was sent', async () => {
    const link = await linkFor(world.freshEmail())
    await world.settings({ signup_closed: true })
    expect((await click(link)).query).toMatchObject({ error: 'signup_disabled' })
  })

  it('reports to the application that the user is banned', async () => {
    const { user } = await world.freshUser()
    const link = await linkFor(user.email)
    await world.ban(user.id, '9999-01-01T00:00:00Z')
    expect((await click(link)).query).toMatchObject({ error: 'user_banned' })
  })

  it('reports to the application that the user was deleted', async () => {
    const { user, access_token } = await world.freshUser()
    const link = await linkFor(user.email, { create_user: false })
    granted(await world.auth('DELETE', '/user', undefined, access_token))
    expect((await click(link)).query).toMatchObject({ error: 'invalid_otp' })
  })

  it('confirms an unconfirmed account, and invalidates the password of its first owner', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
    await nextMessage(world, email)
    expect((await click(await linkFor(email))).fragment).toHaveProperty('access_token')
    expect(refusalOf(await world.auth('POST', '/signin', { email, password: PASSWORD }))).toBe(
      '401 invalid_credentials',
    )
  })
})

describe('GET /auth/v1/verify', () => {
  const verify = (query: string) => world.at.call('GET', `/auth/v1/verify${query}`)

  it.each([
    ['', '400 invalid_request'],
    ['?type=magic_link&token=abc', '400 invalid_request'],
    ['?type=magic_link&project=shop', '400 invalid_request'],
    ['?type=recovery&token=abc&project=shop', '400 invalid_request'],
    ['?type=magic_link&token=a&token=b&project=shop', '400 invalid_request'],
    ['?type=magic_link&token=%00&project=shop', '400 invalid_request'],
    ['?type=magic_link&token=abc&project=%00', '400 invalid_request'],
    [`?type=magic_link&token=${'a'.repeat(10_000)}&project=shop`, '400 invalid_request'],
    ['?type=magic_link&token=abc&project=nobody', '404 not_found'],
    ['?type=magic_link&token=abc&project=shop', '400 invalid_otp'],
    ['?type=magic_link&token=%F0%9F%98%80&project=shop', '400 invalid_otp'],
  ])('refuses %s', async (query, refusal) => {
    expect(refusalOf(await verify(query))).toBe(refusal)
  })

  it('shows the refusal as a page when the browser accepts HTML', async () => {
    const { status, headers, text } = await world.at.call(
      'GET',
      '/auth/v1/verify?type=magic_link&token=abc&project=shop',
      { headers: { accept: 'text/html,*/*' } },
    )
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(text).toContain('This project did not issue the link.')
  })
})
