// POST /auth/v1/signup and /signin (docs/wire/auth.md#password).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  claimsOf,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'

const DEFAULTS = { confirm_email: null, signup_closed: null, password_min_length: null }

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.settings(DEFAULTS))

const signUp = (body: unknown) => world.auth('POST', '/signup', body)
const signIn = (email: string, password = PASSWORD) =>
  world.auth('POST', '/signin', { email, password })

describe('POST /auth/v1/signup', () => {
  it('returns a session of one hour with three tokens', async () => {
    const { status, body, headers } = await signUp({
      email: world.freshEmail(),
      password: PASSWORD,
    })
    expect({ status, cache: headers.get('cache-control'), body }).toMatchObject({
      status: 200,
      cache: 'no-store',
      body: {
        access_token: expect.stringMatching(/^v4\.public\./),
        data_plane_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'bearer',
        expires_in: 3600,
        expires_at: claimsOf(body.data_plane_token).exp,
      },
    })
  })

  it('returns the whole record of the user', async () => {
    const email = world.freshEmail()
    const { user } = granted(await signUp({ email, password: PASSWORD }))
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      phone: null,
      email_confirmed_at: time,
      phone_confirmed_at: null,
      last_sign_in_at: time,
      role: 'authenticated',
      user_metadata: {},
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [expect.objectContaining({ provider: 'email', email })],
      factors: [],
      created_at: time,
      updated_at: time,
    })
  })

  it('puts the claims of the user into the data_plane_token', async () => {
    const { user, data_plane_token } = await world.freshUser({ data: { team: 'blue' } })
    expect(claimsOf(data_plane_token)).toMatchObject({
      role: 'authenticated',
      sub: user.id,
      email: user.email,
      phone: null,
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      user_metadata: { team: 'blue' },
      app_metadata: { provider: 'email', providers: ['email'] },
      project_schema: world.tenant.schemaName,
    })
  })

  it('keeps extra data and the full name as user metadata', async () => {
    const { user } = await world.freshUser({ data: { team: 'blue' }, full_name: 'Ana Ção' })
    expect(user.user_metadata).toEqual({ team: 'blue', full_name: 'Ana Ção' })
  })

  it('refuses a used e-mail address, ignoring upper and lower case', async () => {
    const { user } = await world.freshUser()
    const again = await signUp({ email: user.email.toUpperCase(), password: PASSWORD })
    expect(refusalOf(again)).toBe('409 email_taken')
  })

  it('refuses a used e-mail address in every Unicode composition', async () => {
    const email = `zoë.${world.freshEmail()}`
    const forms = [email.normalize('NFC'), email.normalize('NFD').toUpperCase()]
    const answers = await Promise.all(
      forms.map((form) => signUp({ email: form, password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('accepts only one of two simultaneous sign-ups with the same address', async () => {
    const email = world.freshEmail()
    const both = await Promise.all([1, 2].map(() => signUp({ email, password: PASSWORD })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it.each([
    ['of five characters', '12345'],
    ['of ten kilobytes', 'x'.repeat(10_000)],
    ['of 400 letters that take 1,200 bytes', '語'.repeat(400)],
    ['of five characters that are ten UTF-16 units', '😀'.repeat(5)],
  ])('refuses a password %s', async (_, password) => {
    const refusal = await signUp({ email: world.freshEmail(), password })
    expect(refusalOf(refusal)).toBe('400 weak_password')
  })

  it('applies the minimum password length of the project’s settings', async () => {
    await world.settings({ password_min_length: 20 })
    const refusal = await signUp({ email: world.freshEmail(), password: PASSWORD })
    expect(refusal.body.error.message).toContain('at least 20 characters')
  })

  it('refuses every caller while sign-up is closed', async () => {
    await world.settings({ signup_closed: true })
    const refusal = await signUp({ email: world.freshEmail(), password: PASSWORD })
    expect(refusalOf(refusal)).toBe('403 signup_disabled')
  })

  it.each([
    ['no e-mail address', { password: PASSWORD }],
    ['something else than an address', { email: 'nobody', password: PASSWORD }],
    ['an invisible letter in the address', { email: 'ada\u200b@example.com', password: PASSWORD }],
    [
      'data of 40 kB',
      { email: 'a@example.com', password: PASSWORD, data: { a: 'a'.repeat(40_000) } },
    ],
    ['no password', { email: 'a@example.com' }],
    ['data that is no object', { email: 'a@example.com', password: PASSWORD, data: [1] }],
    ['a NUL character', { email: 'a@example.com', password: PASSWORD, data: { a: ['\0'] } }],
    ['half a surrogate pair', { email: 'a@example.com', password: `${PASSWORD}\ud800` }],
    [
      'a member named by half a surrogate pair',
      { email: 'a@example.com', password: PASSWORD, data: { '\udc00': 1 } },
    ],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await signUp(body))).toBe('400 invalid_request')
  })

  it('returns no session before the address is confirmed, when the project requires confirmation', async () => {
    await world.settings({ confirm_email: true })
    const { body } = await signUp({ email: world.freshEmail(), password: PASSWORD })
    expect(body).toMatchObject({ user: { email_confirmed_at: null }, session: null })
  })

  it('sends a message with a link to confirm the address', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    await signUp({ email, password: PASSWORD })
    const { body } = await world.at.call('GET', `/_emulator/v1/mailbox?to=${email}`)
    expect(body.messages).toEqual([
      expect.objectContaining({
        purpose: 'confirmation',
        link: expect.stringContaining(`${world.at.url}/auth/v1/verify?`),
      }),
    ])
  })
})

describe('the link of a confirmation message', () => {
  const follow = async (email: string): Promise<Response> => {
    const { body } = await world.at.call('GET', `/_emulator/v1/mailbox?to=${email}`)
    return fetch(body.messages[0].link, { redirect: 'manual' })
  }

  it('confirms the address, signs in and returns to the application', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    await signUp({ email, password: PASSWORD, redirect_to: 'http://localhost:4000/welcome' })
    const returned = await follow(email)
    expect(returned.headers.get('location')).toMatch(
      /^http:\/\/localhost:4000\/welcome#access_token=v4\./,
    )
    expect((await signIn(email)).body.user.email_confirmed_at).not.toBeNull()
  })

  it('returns only to addresses that the project allows', async () => {
    const refusal = await signUp({
      email: world.freshEmail(),
      password: PASSWORD,
      redirect_to: 'https://evil.example',
    })
    expect(refusalOf(refusal)).toBe('400 invalid_redirect')
  })
})

describe('POST /auth/v1/signin', () => {
  it('returns a session for the correct password', async () => {
    const { user } = await world.freshUser()
    const { status, body } = await signIn(user.email)
    expect({ status, id: body.user.id }).toEqual({ status: 200, id: user.id })
  })

  it('compares e-mail addresses without case', async () => {
    const { user } = await world.freshUser()
    expect((await signIn(user.email.toUpperCase())).status).toBe(200)
  })

  it('accepts a password in every Unicode composition', async () => {
    const { user } = await world.freshUser({ password: 'Ação-ﬁn-日本語😀' })
    expect((await signIn(user.email, 'Ação-fin-日本語😀'.normalize('NFD'))).status).toBe(200)
  })

  it.each([
    ['a wrong password', 'another one'],
    ['a password of another case', PASSWORD.toUpperCase()],
    ['a password of a hundred kilobytes', 'x'.repeat(100_000)],
  ])('refuses %s', async (_, password) => {
    const { user } = await world.freshUser()
    expect(refusalOf(await signIn(user.email, password))).toBe('401 invalid_credentials')
  })

  it('gives the same error for an unknown address and a wrong password', async () => {
    const { user } = await world.freshUser()
    const wrong = await signIn(user.email, 'another one')
    const unknown = await signIn(world.freshEmail(), 'another one')
    expect(unknown.text).toBe(wrong.text)
  })

  it('refuses an unconfirmed address when the project requires confirmation', async () => {
    await world.settings({ confirm_email: true })
    const { user } = granted(await signUp({ email: world.freshEmail(), password: PASSWORD }))
    expect(refusalOf(await signIn(user.email))).toBe('403 email_not_confirmed')
  })

  it('returns the same answer for an unconfirmed and a missing account when the password is wrong', async () => {
    await world.settings({ confirm_email: true })
    const { user } = granted(await signUp({ email: world.freshEmail(), password: PASSWORD }))
    expect(refusalOf(await signIn(user.email, 'wrong one'))).toBe('401 invalid_credentials')
  })

  it('works while sign-up is closed', async () => {
    const { user } = await world.freshUser()
    await world.settings({ signup_closed: true })
    expect((await signIn(user.email)).status).toBe(200)
  })
})
