// POST /auth/v1/password/forgot and /password/reset (docs/wire/auth.md#recovery).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { click, fragmentOf, messageCount, nextMessage } from '../../support/mailbox.ts'
import { provisionTenant, type TestTenant } from '../../support/test-emulator.ts'

const LIFETIME = 3_600
const APP = 'http://127.0.0.1:5173/reset?lang=pt'
const NEW_PASSWORD = 'battery staple'

let world: AuthWorld
let neighbour: TestTenant
beforeAll(async () => {
  world = await startAuthWorld()
  neighbour = await provisionTenant(world.at, world.group, 'neighbour')
})
afterEach(() => world.settings({ confirm_email: null, redirect_urls: null }))
afterAll(() => world[Symbol.asyncDispose]())

const forgot = (body: unknown) => world.auth('POST', '/password/forgot', body)
const reset = (body: unknown) => world.auth('POST', '/password/reset', body)
const signIn = (email: string, password: string) =>
  world.auth('POST', '/signin', { email, password })

/** Asks for a reset and reads its token from the mailbox. */
async function tokenFor(email: string): Promise<string> {
  granted(await forgot({ email, redirect_to: APP }))
  const { link } = await nextMessage(world, email)
  return fragmentOf(link)['token'] ?? ''
}

describe('POST /auth/v1/password/forgot', () => {
  it('sends a link to the application with the token in its fragment', async () => {
    const { user } = await world.freshUser()
    expect((await forgot({ email: user.email.toUpperCase(), redirect_to: APP })).status).toBe(200)
    expect(await nextMessage(world, user.email)).toMatchObject({
      channel: 'email',
      purpose: 'password_reset',
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:5173\/reset\?lang=pt#token=[\w-]{43}$/),
      code: null,
    })
  })

  it('gives the same answer for an unknown address, but sends no message', async () => {
    const { user } = await world.freshUser()
    const unknown = world.freshEmail()
    const answers = [await forgot({ email: user.email }), await forgot({ email: unknown })]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { expires_in: LIFETIME }],
      [200, { expires_in: LIFETIME }],
    ])
    expect([await messageCount(world, user.email), await messageCount(world, unknown)]).toEqual([
      1, 0,
    ])
  })

  it('refuses a return address that is not listed, whether the account exists or not', async () => {
    const { user } = await world.freshUser()
    for (const email of [user.email, world.freshEmail()])
      expect(refusalOf(await forgot({ email, redirect_to: 'https://example.com' }))).toBe(
        '400 invalid_redirect',
      )
  })

  it.each([
    ['no address', {}],
    ['null', { email: null }],
    ['a list as the address', { email: ['a@example.com'] }],
    ['a NUL in the address', { email: 'a\0@example.com' }],
    ['an address of 10 kB', { email: `a@${'a'.repeat(10_000)}` }],
    ['a number as redirect_to', { email: 'a@example.com', redirect_to: 1 }],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await forgot(body))).toBe('400 invalid_request')
  })
})

describe('POST /auth/v1/password/reset', () => {
  it('replaces the password', async () => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    expect((await reset({ token, new_password: NEW_PASSWORD })).body).toEqual({
      criada: false,
      sessions_revoked: 1,
    })
    expect(refusalOf(await signIn(user.email, PASSWORD))).toBe('401 invalid_credentials')
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('accepts the field name password as well', async () => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    expect((await reset({ token, password: NEW_PASSWORD })).status).toBe(200)
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('ends all sessions', async () => {
    const first = await world.freshUser()
    const second = granted(await signIn(first.user.email, PASSWORD))
    const token = await tokenFor(first.user.email)
    expect((await reset({ token, new_password: NEW_PASSWORD })).body.sessions_revoked).toBe(2)
    for (const { access_token, refresh_token } of [first, second]) {
      expect(refusalOf(await world.auth('GET', '/user', undefined, access_token))).toBe(
        '401 unauthorized',
      )
      expect(refusalOf(await world.auth('POST', '/token/refresh', { refresh_token }))).toBe(
        '401 unauthorized',
      )
    }
  })

  it('sets the first password of an account without a password', async () => {
    const email = world.freshEmail()
    granted(await world.auth('POST', '/otp/send', { email }))
    const { code } = await nextMessage(world, email)
    granted(await world.auth('POST', '/otp/verify', { email, code }))
    const token = await tokenFor(email)
    expect((await reset({ token, new_password: NEW_PASSWORD })).body.criada).toBe(true)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('confirms the address', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
    await nextMessage(world, email)
    granted(await reset({ token: await tokenFor(email), new_password: NEW_PASSWORD }))
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('accepts a token only once', async () => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    granted(await reset({ token, new_password: NEW_PASSWORD }))
    expect(refusalOf(await reset({ token, new_password: 'yet another' }))).toBe('401 unauthorized')
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('accepts a token only once, even for two simultaneous requests', async () => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    const answers = await Promise.all(
      ['one password', 'two password'].map((new_password) => reset({ token, new_password })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('accepts only the newest token of an address', async () => {
    const { user } = await world.freshUser()
    const older = await tokenFor(user.email)
    const newer = await tokenFor(user.email.toUpperCase())
    const refused = await reset({ token: older, new_password: PASSWORD })
    expect(refusalOf(refused)).toBe('401 unauthorized')
    expect(refused.body.error.message).toContain('a newer link was requested')
    granted(await reset({ token: newer, new_password: NEW_PASSWORD }))
  })

  it('leaves the tokens of other addresses valid', async () => {
    const [ana, ben] = [await world.freshUser(), await world.freshUser()]
    const token = await tokenFor(ana.user.email)
    await tokenFor(ben.user.email)
    granted(await reset({ token, new_password: NEW_PASSWORD }))
  })

  it('keeps one token valid when two tokens are requested at once', async () => {
    const { user } = await world.freshUser()
    await Promise.all([1, 2].map(() => forgot({ email: user.email })))
    const query = new URLSearchParams({ to: user.email })
    const { messages } = granted(await world.at.call('GET', `/_emulator/v1/mailbox?${query}`))
    const statuses: number[] = []
    for (const { link } of messages) {
      const { token } = fragmentOf(link)
      statuses.push((await reset({ token, new_password: NEW_PASSWORD })).status)
    }
    expect(statuses.toSorted()).toEqual([200, 401])
  })

  it('accepts a token for an hour', async () => {
    const { user } = await world.freshUser()
    const inTime = await tokenFor(user.email)
    await world.advance(LIFETIME - 10)
    granted(await reset({ token: inTime, new_password: NEW_PASSWORD }))
    const late = await tokenFor(user.email)
    await world.advance(LIFETIME + 1)
    expect(refusalOf(await reset({ token: late, new_password: PASSWORD }))).toBe('401 unauthorized')
  })

  it('refuses a token of another tenant, and leaves the token valid in that tenant', async () => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    const abroad = await world.at.call('POST', '/auth/v1/password/reset', {
      headers: { apikey: neighbour.anonKey },
      body: { token, new_password: NEW_PASSWORD },
    })
    expect(refusalOf(abroad)).toBe('401 unauthorized')
    expect((await reset({ token, new_password: NEW_PASSWORD })).status).toBe(200)
  })

  it('refuses the token of a magic link', async () => {
    const { user } = await world.freshUser()
    granted(await world.auth('POST', '/signin/magic-link', { email: user.email }))
    const { link } = await nextMessage(world, user.email)
    const token = new URL(link).searchParams.get('token')
    expect(refusalOf(await reset({ token, new_password: NEW_PASSWORD }))).toBe('401 unauthorized')
    expect((await click(link)).fragment).toHaveProperty('access_token')
  })

  it('refuses the token of a deleted user', async () => {
    const { user, access_token } = await world.freshUser()
    const token = await tokenFor(user.email)
    granted(await world.auth('DELETE', '/user', undefined, access_token))
    expect(refusalOf(await reset({ token, new_password: NEW_PASSWORD }))).toBe('401 unauthorized')
  })

  it.each([
    ['a short password', 'short'],
    ['a password of 10 kB', 'a'.repeat(10_000)],
    ['a password whose plain form is too long', 'ﷺ'.repeat(100)],
  ])('refuses %s and leaves the token valid', async (_, new_password) => {
    const { user } = await world.freshUser()
    const token = await tokenFor(user.email)
    expect(refusalOf(await reset({ token, new_password }))).toBe('400 weak_password')
    expect((await reset({ token, new_password: NEW_PASSWORD })).status).toBe(200)
  })

  it('accepts letters in every Unicode composition', async () => {
    const { user } = await world.freshUser()
    granted(await reset({ token: await tokenFor(user.email), new_password: 'pässwörd 🐘' }))
    expect((await signIn(user.email, 'pässwörd 🐘'.normalize('NFD'))).status).toBe(200)
  })

  it.each([
    ['no token', { new_password: NEW_PASSWORD }],
    ['no password', { token: 'abc' }],
    ['two passwords', { token: 'abc', new_password: NEW_PASSWORD, password: PASSWORD }],
    ['a list as the token', { token: ['abc'], new_password: NEW_PASSWORD }],
    ['a number as the password', { token: 'abc', new_password: 12345678 }],
    ['a NUL in the password', { token: 'abc', new_password: 'correct\0horse' }],
    ['half a letter in the password', { token: 'abc', new_password: 'correct\ud83dhorse' }],
    ['a NUL in the token', { token: 'abc\0', new_password: NEW_PASSWORD }],
    ['a token of 10 kB', { token: 'a'.repeat(10_000), new_password: NEW_PASSWORD }],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await reset(body))).toBe('400 invalid_request')
  })

  it.each(['abc', '😀', "' or true --"])('refuses the token %j', async (token) => {
    expect(refusalOf(await reset({ token, new_password: NEW_PASSWORD }))).toBe('401 unauthorized')
  })
})
