// A user who proves an unconfirmed address takes the account over from its first owner. The first owner can no longer
// sign in (docs/wire/auth.md#magic-link).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { freshCode } from '../../support/authenticator.ts'
import { click, fragmentOf, nextMessage } from '../../support/mailbox.ts'
import { comeBack, signInSocially, VERIFIER } from '../../support/social-browser.ts'
import type { Json } from '../../support/test-emulator.ts'

const CHOSEN = 'what the owner chose'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Squat {
  readonly person: {
    readonly name: string
    readonly email: string
    readonly emailVerified: boolean
  }
  readonly session: Json
  readonly factor: { readonly id: string; readonly secret: string }
  /** The token of a sign-in that waits for its second factor. */
  readonly mfaToken: string
  /** The code of a social sign-in that waits for its exchange. */
  readonly code: string
}

/** Creates a user who can sign in in every way, but has not confirmed the e-mail address. */
async function squat(): Promise<Squat> {
  const person = { name: 'Squatter', email: world.freshEmail(), emailVerified: false }
  const { access_token: token } = await signInSocially(world, person, 'github')
  granted(await world.auth('PUT', '/user/password', { new_password: PASSWORD }, token))
  const factor = granted(await world.auth('POST', '/mfa/enroll', { factorType: 'totp' }, token))
  const proof = { factorId: factor.id, code: await freshCode(world, factor.secret) }
  const session = granted(await world.auth('POST', '/mfa/verify', proof, token))
  const owed = await world.auth('POST', '/signin', { email: person.email, password: PASSWORD })
  const address = await comeBack(world, person, 'github')
  const code = address.searchParams.get('code') ?? ''
  return { person, session, factor, mfaToken: granted(owed).mfa_token, code }
}

/** Tries each of the squatter's ways to sign in. Returns the results. */
async function waysIn({ person, session, factor, mfaToken, code }: Squat): Promise<Json> {
  const secondStep = { mfa_token: mfaToken, factorId: factor.id }
  const answers = {
    password: await world.auth('POST', '/signin', { email: person.email, password: PASSWORD }),
    accessToken: await world.auth('GET', '/user', undefined, session.access_token),
    refreshToken: await world.auth('POST', '/token/refresh', {
      refresh_token: session.refresh_token,
    }),
    secondStep: await world.auth('POST', '/mfa/verify', {
      ...secondStep,
      code: await freshCode(world, factor.secret),
    }),
    exchange: await world.auth('POST', '/token/exchange', { code, code_verifier: VERIFIER }),
  }
  const address = await comeBack(world, person, 'github')
  const refusals = Object.entries(answers).map(([way, answer]) => [way, refusalOf(answer)])
  return { ...Object.fromEntries(refusals), identity: address.searchParams.get('error') }
}

const CLOSED = {
  password: '401 invalid_credentials',
  accessToken: '401 unauthorized',
  refreshToken: '401 unauthorized',
  secondStep: '401 unauthorized',
  exchange: '400 invalid_code',
  identity: 'email_taken',
}

const BY_EMAIL = {
  email_confirmed_at: expect.any(String),
  app_metadata: { provider: 'email', providers: ['email'] },
  identities: [{ provider: 'email' }],
  factors: [],
}

async function byCode(email: string): Promise<Json> {
  granted(await world.auth('POST', '/otp/send', { email }))
  const { code } = await nextMessage(world, email)
  return granted(await world.auth('POST', '/otp/verify', { email, code }))
}

async function byLink(email: string): Promise<Json> {
  granted(await world.auth('POST', '/signin/magic-link', { email }))
  const { fragment } = await click((await nextMessage(world, email)).link)
  const { refresh_token } = fragment
  return granted(await world.auth('POST', '/token/refresh', { refresh_token }))
}

async function byReset(email: string): Promise<Json> {
  granted(await world.auth('POST', '/password/forgot', { email }))
  const { token } = fragmentOf((await nextMessage(world, email)).link)
  granted(await world.auth('POST', '/password/reset', { token, new_password: CHOSEN }))
  return granted(await world.auth('POST', '/signin', { email, password: CHOSEN }))
}

describe('the owner of an unconfirmed address', () => {
  it.each([
    ['a code', byCode, BY_EMAIL],
    ['a link', byLink, BY_EMAIL],
    ['a password reset', byReset, BY_EMAIL],
    [
      'a provider that has verified the address',
      (email: string) => signInSocially(world, { name: 'Owner', email }),
      {
        email_confirmed_at: expect.any(String),
        app_metadata: { provider: 'google', providers: ['google'] },
        identities: [{ provider: 'google' }],
        factors: [],
      },
    ],
    [
      'the same provider that has now verified the address',
      (email: string) => signInSocially(world, { name: 'Owner', email }, 'github'),
      {
        app_metadata: { provider: 'github', providers: ['github'] },
        identities: [{}],
        factors: [],
      },
    ],
  ])('takes over the account by %s without the old second factor', async (_, prove, expected) => {
    const squatted = await squat()
    const { user } = await prove(squatted.person.email)
    expect(user).toMatchObject({ id: squatted.session.user.id, ...expected })
    expect(await waysIn(squatted)).toEqual(CLOSED)
  })
})

describe('a confirmed account', () => {
  it('keeps its factors when the password is reset, and unfinished sign-ins end', async () => {
    const { user, access_token: token } = await world.freshUser()
    const factor = granted(await world.auth('POST', '/mfa/enroll', { factorType: 'totp' }, token))
    const proof = { factorId: factor.id, code: await freshCode(world, factor.secret) }
    granted(await world.auth('POST', '/mfa/verify', proof, token))
    const half = granted(
      await world.auth('POST', '/signin', { email: user.email, password: PASSWORD }),
    )
    const owed = await byReset(user.email)
    const code = await freshCode(world, factor.secret)
    const secondStep = await world.auth('POST', '/mfa/verify', {
      mfa_token: half.mfa_token,
      factorId: factor.id,
      code,
    })
    expect([owed.factors[0].id, refusalOf(secondStep)]).toEqual([factor.id, '401 unauthorized'])
  })
})
