// Which user a social login signs in, and the exchange of its code for a session (docs/wire/auth.md#social).
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  claimsOf,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import {
  begin,
  comeBack,
  locationOf,
  openSocialBrowser,
  type SocialBrowser,
  signInSocially,
  VERIFIER,
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
const exchange = (code: string | null, verifier = VERIFIER) =>
  world.auth('POST', '/token/exchange', { code, code_verifier: verifier })

/** Returns the authenticator app's code for the current platform time. */
async function codeOf(secret: string): Promise<string> {
  const { now } = granted(await world.at.call('GET', '/_emulator/v1/clock'))
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(now) })
}

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

describe('a social sign-in', () => {
  it('returns to the application with a code that is exchanged for a session', async () => {
    const session = await signInSocially(world, { name: 'Nina Nova', email: 'nina@example.com' })
    expect(session).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: {
        email: 'nina@example.com',
        email_confirmed_at: expect.any(String),
        last_sign_in_at: expect.any(String),
        user_metadata: {
          full_name: 'Nina Nova',
          avatar_url: expect.stringMatching(/^data:image\/svg\+xml,/),
        },
        app_metadata: { provider: 'google', providers: ['google'] },
        identities: [
          {
            provider: 'google',
            provider_user_id: expect.stringMatching(/^\d{21}$/),
            email: 'nina@example.com',
            identity_data: { email_verified: true, full_name: 'Nina Nova' },
          },
        ],
      },
    })
    expect(claimsOf(session.data_plane_token)).toMatchObject({
      sub: session.user.id,
      aal: 'aal1',
      amr: [{ method: 'oauth' }],
    })
  })

  it('offers fixed example accounts', async () => {
    const { text } = await browser.open(await begin(world, 'apple'))
    const sub = /name="account" value="([^"]+)" aria-label="Continue as Farah Mithal"/.exec(text)
    const address = await decided(await consent('apple'), { account: sub?.[1] ?? '' })
    const landed = new URL(locationOf(await browser.open(address)))
    const session = granted(await exchange(landed.searchParams.get('code')))
    expect(session.user).toMatchObject({ email: 'farah@example.org' })
  })

  it('finds the user of a known account and keeps the user’s own metadata', async () => {
    const somebody = person()
    const first = await signInSocially(world, somebody)
    await world.auth('PATCH', '/user', { data: { full_name: 'Mine' } }, first.access_token)
    const second = await signInSocially(world, {
      name: 'Theirs',
      email: somebody.email.toUpperCase(),
    })
    expect([second.user.id, second.user.user_metadata.full_name]).toEqual([first.user.id, 'Mine'])
  })

  it('lists an account that was used before', async () => {
    const somebody = { name: 'Used Before', email: world.freshEmail() }
    await signInSocially(world, somebody, 'github')
    const { text } = await browser.open(await begin(world, 'github'))
    expect(text).toContain('aria-label="Continue as Used Before"')
  })

  it('is linked to the user with the same confirmed e-mail address', async () => {
    const { user } = await world.freshUser({ full_name: 'First Name' })
    const session = await signInSocially(world, { name: 'Other Name', email: user.email })
    expect(session.user).toMatchObject({
      id: user.id,
      app_metadata: { provider: 'email', providers: ['email', 'google'] },
      user_metadata: { full_name: 'First Name', avatar_url: expect.any(String) },
      identities: [{ provider: 'email' }, { provider: 'google' }],
    })
    const signedIn = await world.auth('POST', '/signin', { email: user.email, password: PASSWORD })
    expect(signedIn.status).toBe(200)
  })

  it('leads to the same user with two providers that confirm one address', async () => {
    const somebody = person()
    const first = await signInSocially(world, somebody, 'google')
    const second = await signInSocially(world, somebody, 'github')
    expect([second.user.id, second.user.app_metadata]).toEqual([
      first.user.id,
      { provider: 'google', providers: ['google', 'github'] },
    ])
  })

  it('is not linked when the provider has not verified the address', async () => {
    const { user } = await world.freshUser()
    const address = await comeBack(world, { ...person(), email: user.email, emailVerified: false })
    expect(address.searchParams.get('error')).toBe('email_taken')
  })

  it('creates a user with an unconfirmed address when the provider has not verified the address', async () => {
    const session = await signInSocially(world, { ...person(), emailVerified: false })
    expect(session.user.email_confirmed_at).toBe(null)
  })

  it('takes over an account whose first owner never confirmed the address', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    const squatter = granted(
      await world.auth('POST', '/signup', { email, password: PASSWORD, full_name: 'Squatter' }),
    )
    const session = await signInSocially(world, { name: 'Owner', email })
    const answer = await world.auth('POST', '/signin', { email, password: PASSWORD })
    await world.settings({ confirm_email: null })
    expect(session.user).toMatchObject({
      id: squatter.user.id,
      email_confirmed_at: expect.any(String),
      user_metadata: { full_name: 'Owner' },
    })
    expect(refusalOf(answer)).toBe('401 invalid_credentials')
  })

  it('admits only known users while sign-up is closed', async () => {
    const known = person()
    await signInSocially(world, known)
    await world.settings({ signup_closed: true })
    const [stranger, friend] = [await comeBack(world, person()), await comeBack(world, known)]
    await world.settings({ signup_closed: null })
    expect([stranger.searchParams.get('error'), friend.searchParams.has('code')]).toEqual([
      'signup_disabled',
      true,
    ])
  })

  it('refuses a banned user', async () => {
    const somebody = person()
    const { user } = await signInSocially(world, somebody)
    await world.ban(user.id, '2999-01-01T00:00:00Z')
    const address = await comeBack(world, somebody)
    expect(address.searchParams.get('error')).toBe('user_banned')
  })

  it('refuses a user who is banned between the callback and the exchange of the code', async () => {
    const somebody = person()
    const { user } = await signInSocially(world, somebody)
    const address = await comeBack(world, somebody)
    await world.ban(user.id, '2999-01-01T00:00:00Z')
    const answer = await exchange(address.searchParams.get('code'))
    expect(refusalOf(answer)).toBe('403 user_banned')
  })

  it('requires the second factor of a user who has enrolled a factor', async () => {
    const somebody = person()
    const { access_token: token } = await signInSocially(world, somebody)
    const enrolled = await world.auth('POST', '/mfa/enroll', { factorType: 'totp' }, token)
    const { id: factorId, secret } = granted(enrolled)
    granted(
      await world.auth('POST', '/mfa/verify', { factorId, code: await codeOf(secret) }, token),
    )
    const owed = await signInSocially(world, somebody)
    expect(owed).toMatchObject({ mfa_required: true, factors: [{ id: factorId }] })
    await world.advance(30)
    const { mfa_token } = owed
    const body = { mfa_token, factorId, code: await codeOf(secret) }
    const session = granted(await world.auth('POST', '/mfa/verify', body))
    expect(claimsOf(session.data_plane_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'oauth' }, { method: 'totp' }],
    })
  })

  it('acts as the user on the data plane', async () => {
    await world.execute(
      `create table notes (owner uuid default auth.uid(), body text);
       alter table notes enable row level security;
       grant all on notes to authenticated;
       create policy own on notes using (owner = auth.uid()) with check (owner = auth.uid());`,
    )
    const { data_plane_token: token } = await signInSocially(world, person())
    await world.data('POST', '/notes', token, { body: 'mine' })
    const { body } = await world.data('GET', '/notes?select=body', token)
    expect(body).toEqual([{ body: 'mine' }])
  })
})

describe('POST /auth/v1/token/exchange', () => {
  const freshCode = async () => (await comeBack(world, person())).searchParams.get('code')

  it('accepts a code only once', async () => {
    const code = await freshCode()
    const [first, second] = [await exchange(code), await exchange(code)]
    expect([first.status, refusalOf(second)]).toEqual([200, '400 invalid_code'])
  })

  it('accepts a code only once, even for two simultaneous requests', async () => {
    const code = await freshCode()
    const answers = await Promise.all([exchange(code), exchange(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('accepts a code that is just under five minutes old', async () => {
    const code = await freshCode()
    await world.advance(295)
    expect((await exchange(code)).status).toBe(200)
  })

  it('refuses a code after five minutes', async () => {
    const code = await freshCode()
    await world.advance(301)
    expect(refusalOf(await exchange(code))).toBe('400 invalid_code')
  })

  it('invalidates the code when the verifier is wrong', async () => {
    const code = await freshCode()
    const wrong = await exchange(code, 'w'.repeat(43))
    expect([refusalOf(wrong), refusalOf(await exchange(code))]).toEqual([
      '400 pkce_mismatch',
      '400 invalid_code',
    ])
  })

  it.each(['unknown', '\u{1f600}', 'x'.repeat(4_000)])(
    'refuses a code that was never issued',
    async (code) => {
      expect(refusalOf(await exchange(code))).toBe('400 invalid_code')
    },
  )

  it.each([
    {},
    { code: 'x' },
    { code_verifier: 'x' },
    { code: 1, code_verifier: 'x' },
    { code: '\0', code_verifier: 'x' },
  ])('refuses the body %j', async (body) => {
    expect(refusalOf(await world.auth('POST', '/token/exchange', body))).toBe('400 invalid_request')
  })

  it('refuses another tenant’s code', async () => {
    const code = await freshCode()
    const other = await provisionTenant(world.at, world.group, 'other')
    const answer = await world.at.call('POST', '/auth/v1/token/exchange', {
      headers: { apikey: other.anonKey },
      body: { code, code_verifier: VERIFIER },
    })
    expect([refusalOf(answer), (await exchange(code)).status]).toEqual(['400 invalid_code', 200])
  })

  it('refuses the code of a deleted user', async () => {
    const somebody = person()
    const session = await signInSocially(world, somebody)
    const address = await comeBack(world, somebody)
    await world.auth('DELETE', '/user', undefined, session.access_token)
    const answer = await exchange(address.searchParams.get('code'))
    expect(refusalOf(answer)).toBe('400 invalid_code')
  })
})
