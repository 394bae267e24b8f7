// Ten requests of end users at once: what may happen once happens once (docs/wire/auth.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countOf, tallyOf, tenAtOnce } from '../../support/at-once.ts'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { currentCode, freshCode } from '../../support/authenticator.ts'
import { click, fragmentOf, nextMessage } from '../../support/mailbox.ts'
import type { Json } from '../../support/test-emulator.ts'

const NEW_PASSWORD = 'a newer horse'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const signIn = (email: string, password = PASSWORD) =>
  world.auth('POST', '/signin', { email, password })
const userOf = (token: string) => world.auth('GET', '/user', undefined, token)

async function codeFor(email: string): Promise<string> {
  granted(await world.auth('POST', '/otp/send', { email }))
  return (await nextMessage(world, email)).code
}

async function magicLinkFor(email: string): Promise<string> {
  granted(await world.auth('POST', '/signin/magic-link', { email }))
  return (await nextMessage(world, email)).link
}

function other(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

describe('ten simultaneous requests', () => {
  it('sign up only one account, and nine get 409', async () => {
    const email = world.freshEmail()
    const answers = await tenAtOnce(() =>
      world.auth('POST', '/signup', { email, password: PASSWORD }),
    )
    expect(tallyOf(answers)).toEqual({ 200: 1, '409 email_taken': 9 })
  })

  it('get the same tokens from a refresh, and the next refresh works', async () => {
    const { refresh_token } = await world.freshUser()
    const refresh = (token: string) =>
      world.auth('POST', '/token/refresh', { refresh_token: token })
    const answers = await tenAtOnce(() => refresh(refresh_token))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200)
  })

  it('sign in only once with a one-time code', async () => {
    const email = world.freshEmail()
    const code = await codeFor(email)
    const answers = await tenAtOnce(() => world.auth('POST', '/otp/verify', { email, code }))
    expect(tallyOf(answers)).toEqual({ 200: 1, '400 invalid_otp': 9 })
  })

  it('with wrong codes are refused with 429 after five attempts, and so is the right code', async () => {
    const email = world.freshEmail()
    const code = await codeFor(email)
    const verify = (given: string) => world.auth('POST', '/otp/verify', { email, code: given })
    expect(tallyOf(await tenAtOnce(() => verify(other(code))))).toEqual({
      '400 invalid_otp': 5,
      '429 too_many_attempts': 5,
    })
    expect((await verify(code)).status).toBe(429)
  })

  it('request ten codes, of which at most one is valid', async () => {
    const email = world.freshEmail()
    await tenAtOnce(() => world.auth('POST', '/otp/send', { email }))
    const { body } = await world.at.call('GET', `/_emulator/v1/mailbox?to=${email}`)
    const codes = body.messages.map(({ code }: Json) => code)
    const answers = []
    for (const code of codes) answers.push(await world.auth('POST', '/otp/verify', { email, code }))
    expect(codes).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('sign in only once with a magic link', async () => {
    const link = await magicLinkFor(world.freshEmail())
    const landings = await tenAtOnce(() => click(link))
    expect(countOf(landings.map(({ query }) => query['error'] ?? 'signed in'))).toEqual({
      'signed in': 1,
      invalid_otp: 9,
    })
  })

  it('follow ten links of a new address, and create only one user', async () => {
    const email = world.freshEmail()
    const links: string[] = []
    for (let count = 0; count < 10; count += 1) links.push(await magicLinkFor(email))
    const landings = await tenAtOnce((index) => click(links[index] ?? ''))
    const users = await Promise.all(
      landings.map(async ({ fragment }) => granted(await userOf(fragment['access_token'] ?? ''))),
    )
    expect(new Set(users.map(({ user }) => user.id)).size).toBe(1)
  })

  it('reset a password only once', async () => {
    const { user } = await world.freshUser()
    granted(await world.auth('POST', '/password/forgot', { email: user.email }))
    const { link } = await nextMessage(world, user.email)
    const { token } = fragmentOf(link)
    const answers = await tenAtOnce((index) =>
      world.auth('POST', '/password/reset', { token, new_password: `${NEW_PASSWORD} ${index}` }),
    )
    expect(tallyOf(answers)).toEqual({ 200: 1, '401 unauthorized': 9 })
  })

  it('sign in while the password is changed, and no session with the old password stays valid', async () => {
    const { access_token, user } = await world.freshUser()
    const change = world.auth(
      'PUT',
      '/user/password',
      { current_password: PASSWORD, new_password: NEW_PASSWORD },
      access_token,
    )
    const [answers] = await Promise.all([tenAtOnce(() => signIn(user.email)), change])
    expect((await change).status).toBe(200)
    const opened = answers.filter(({ status }) => status === 200)
    const standing = await Promise.all(opened.map(({ body }) => userOf(body.access_token)))
    expect(standing.filter(({ status }) => status === 200)).toEqual([])
  })

  it('change metadata and lose no member', async () => {
    const { access_token } = await world.freshUser()
    await tenAtOnce((index) =>
      world.auth('PATCH', '/user', { data: { [`member${index}`]: index } }, access_token),
    )
    const { user } = granted(await userOf(access_token))
    expect(Object.keys(user.user_metadata)).toHaveLength(10)
  })

  it('delete a user only once', async () => {
    const { access_token } = await world.freshUser()
    const answers = await tenAtOnce(() => world.auth('DELETE', '/user', undefined, access_token))
    expect(tallyOf(answers)).toEqual({ 200: 1, '401 unauthorized': 9 })
  })
})

describe('ten simultaneous requests with second factors', () => {
  const enrol = (session: Json) =>
    world.auth('POST', '/mfa/enroll', { factorType: 'totp' }, session.access_token)
  const verify = (session: Json, factorId: string, code: string) =>
    world.auth('POST', '/mfa/verify', { factorId, code }, session.access_token)

  it('enrol no more than ten factors', async () => {
    const session = await world.freshUser()
    for (let count = 0; count < 9; count += 1) granted(await enrol(session))
    expect(tallyOf(await tenAtOnce(() => enrol(session)))).toEqual({
      200: 1,
      '400 invalid_request': 9,
    })
  })

  it('use a code of the authenticator only once', async () => {
    const session = await world.freshUser()
    const { id, secret } = granted(await enrol(session))
    const code = await freshCode(world, secret)
    const answers = await tenAtOnce(() => verify(session, id, code))
    expect(tallyOf(answers)[200]).toBe(1)
  })

  it('with wrong codes are refused with 429 after five attempts', async () => {
    const session = await world.freshUser()
    const { id, secret } = granted(await enrol(session))
    const wrong = other(await currentCode(world, secret))
    expect(tallyOf(await tenAtOnce(() => verify(session, id, wrong)))).toEqual({
      '400 invalid_otp': 5,
      '429 too_many_attempts': 5,
    })
  })

  it('activate only one factor when ten password sessions each enrol a factor', async () => {
    const { user } = await world.freshUser()
    const guests: { readonly session: Json; readonly factor: Json }[] = []
    for (let count = 0; count < 10; count += 1) {
      const session = granted(await signIn(user.email))
      guests.push({ session, factor: granted(await enrol(session)) })
    }
    const answers = await Promise.all(
      guests.map(async ({ factor, session }) =>
        verify(session, factor.id, await currentCode(world, factor.secret)),
      ),
    )
    expect(tallyOf(answers)).toEqual({ 200: 1, '403 insufficient_aal': 9 })
  })
})
