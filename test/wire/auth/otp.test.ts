// POST /auth/v1/otp/send and /otp/verify (docs/wire/auth.md#otp).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  claimsOf,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { messageCount, nextMessage } from '../../support/mailbox.ts'
import { provisionTenant, type TestTenant } from '../../support/test-emulator.ts'

const LIFETIME = 600
const HOUR = 3_600
const NORMAL = { confirm_email: null, signup_closed: null, whatsapp: null, sms: null }

let world: AuthWorld
let neighbour: TestTenant
let phones = 0
beforeAll(async () => {
  world = await startAuthWorld()
  neighbour = await provisionTenant(world.at, world.group, 'neighbour')
})
afterEach(() => world.settings(NORMAL))
afterAll(() => world[Symbol.asyncDispose]())

const freshPhone = (): string => `+55 11 9${String(++phones).padStart(4, '0')}-0000`
const send = (body: unknown) => world.auth('POST', '/otp/send', body)
const verify = (body: unknown) => world.auth('POST', '/otp/verify', body)

/** Asks for a code and reads it from the mailbox. */
async function codeFor(body: { email?: string; phone?: string; channel?: string }) {
  granted(await send(body))
  const { code } = await nextMessage(world, body.email ?? body.phone ?? '')
  return code as string
}

/** Returns a different code. */
const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('POST /auth/v1/otp/send', () => {
  it.each([
    ['email', () => ({ email: world.freshEmail() })],
    ['whatsapp', () => ({ phone: freshPhone() })],
    ['sms', () => ({ phone: freshPhone() })],
  ])('sends six digits by %s', async (channel, target) => {
    const to = target()
    const { status, body } = await send({ ...to, channel })
    expect([status, body]).toEqual([200, { channel, expires_in: LIFETIME }])
    expect(await nextMessage(world, Object.values(to)[0] ?? '')).toMatchObject({
      schema_name: 'proj_shop',
      channel,
      to: Object.values(to)[0],
      purpose: 'one_time_code',
      code: expect.stringMatching(/^\d{6}$/),
      link: null,
    })
  })

  it('uses e-mail for an address and WhatsApp for a phone', async () => {
    expect((await send({ email: world.freshEmail() })).body.channel).toBe('email')
    expect((await send({ phone: freshPhone(), channel: null })).body.channel).toBe('whatsapp')
  })

  it('gives the same answer for a known address and for an unknown address that may not sign up', async () => {
    const { user } = await world.freshUser()
    const unknown = world.freshEmail()
    const answers = [
      await send({ email: user.email, create_user: false }),
      await send({ email: unknown, create_user: false }),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, answers[0]?.text],
      [200, answers[0]?.text],
    ])
    expect([await messageCount(world, user.email), await messageCount(world, unknown)]).toEqual([
      1, 0,
    ])
  })

  it('sends only to existing users while sign-up is closed', async () => {
    const { user } = await world.freshUser()
    const unknown = world.freshEmail()
    await world.settings({ signup_closed: true })
    granted(await send({ email: user.email }))
    granted(await send({ email: unknown }))
    expect([await messageCount(world, user.email), await messageCount(world, unknown)]).toEqual([
      1, 0,
    ])
  })

  it.each([
    [{ whatsapp: 'not_configured' }, 'whatsapp', '400 whatsapp_not_configured'],
    [{ whatsapp: 'send_failed' }, 'whatsapp', '503 whatsapp_send_failed'],
    [{ sms: 'not_configured' }, 'sms', '400 sms_not_configured'],
  ])(
    'fails when the setting is %j, and leaves the previous code valid',
    async (setting, channel, refusal) => {
      const phone = freshPhone()
      const code = await codeFor({ phone, channel })
      await world.settings(setting)
      expect(refusalOf(await send({ phone, channel }))).toBe(refusal)
      expect((await verify({ phone, code })).status).toBe(200)
    },
  )

  it.each([
    ['no target', {}],
    ['two targets', { email: 'a@example.com', phone: '+5511999' }],
    ['null targets', { email: null, phone: null }],
    ['a list of addresses', { email: ['a@example.com'] }],
    ['a number', { phone: 5511999999 }],
    ['letters in a phone', { phone: '+55 eleven' }],
    ['a text without @', { email: 'example.com' }],
    ['white space in an address', { email: 'a b@example.com' }],
    ['a NUL in an address', { email: 'a\0@example.com' }],
    ['half a letter in an address', { email: 'a\ud800@example.com' }],
    ['a NUL in a phone', { phone: '+5511\x00999' }],
    ['an address of 10 kB', { email: `${'a'.repeat(10_000)}@example.com` }],
    ['a phone of 10 kB', { phone: '9'.repeat(10_000) }],
    ['an unknown channel', { email: 'a@example.com', channel: 'pigeon' }],
    ['a channel that does not reach the phone', { phone: '+5511999', channel: 'email' }],
    ['a channel that does not reach the address', { email: 'a@example.com', channel: 'sms' }],
    ['create_user as text', { email: 'a@example.com', create_user: 'no' }],
    ['a list as the body', ['a@example.com']],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await send(body))).toBe('400 invalid_request')
  })

  it('sends at most 30 codes to an address within an hour', async () => {
    const { user } = await world.freshUser()
    for (const email of [user.email, world.freshEmail()]) {
      const mixed = [email, email.toUpperCase()]
      for (let sent = 0; sent < 30; sent += 1) granted(await send({ email: mixed[sent % 2] }))
      await world.advance(HOUR - 60)
      const refused = await send({ email })
      expect(refusalOf(refused)).toBe('429 too_many_attempts')
      expect(Number(refused.headers.get('retry-after'))).toSatisfy((s) => s > 0 && s <= 60)
      granted(await send({ email: world.freshEmail() }))
      await world.advance(61)
      const code = await codeFor({ email })
      expect((await verify({ email, code })).status).toBe(200)
    }
  })

  it('resets the count of codes after a completed sign-in', async () => {
    const phone = freshPhone()
    for (let round = 0; round < 2; round += 1) {
      for (let sent = 0; sent < 29; sent += 1) granted(await send({ phone }))
      await world.at.call('DELETE', '/_emulator/v1/mailbox')
      granted(await verify({ phone, code: await codeFor({ phone }) }))
    }
  })

  // The clock reads earlier times again, as when two simultaneous requests arrive in the other order.
  it('counts codes of earlier requests when the clock was set back', async () => {
    const email = world.freshEmail()
    for (let sent = 0; sent < 30; sent += 1) granted(await send({ email }))
    await world.advance(-5)
    expect(refusalOf(await send({ email }))).toBe('429 too_many_attempts')
  })

  it('counts the codes of many simultaneous requests', async () => {
    const email = world.freshEmail()
    const answers = await Promise.all(Array.from({ length: 35 }, () => send({ email })))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  it('refuses invalid JSON and other methods', async () => {
    expect(refusalOf(await send('{'))).toBe('400 invalid_json')
    expect(refusalOf(await world.auth('GET', '/otp/send'))).toBe('405 method_not_allowed')
  })
})

describe('POST /auth/v1/otp/verify', () => {
  it('creates a user for a new address, and confirms the address', async () => {
    const email = 'João.ü@exämple.com'
    const { status, body } = await verify({ email, code: await codeFor({ email }) })
    expect([status, body.token_type, body.expires_in]).toEqual([200, 'bearer', 3600])
    expect(body.user).toMatchObject({
      email,
      phone: null,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
    })
    expect(claimsOf(body.data_plane_token)).toMatchObject({
      sub: body.user.id,
      aal: 'aal1',
      amr: [{ method: 'otp', timestamp: expect.any(Number) }],
    })
  })

  it('creates a user for a new phone number, and confirms the number', async () => {
    const phone = freshPhone()
    const { body } = await verify({ phone, code: await codeFor({ phone }) })
    expect(body.user).toMatchObject({
      email: null,
      phone,
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
    })
  })

  it('signs in the user of the address, ignoring upper and lower case', async () => {
    const { user } = await world.freshUser()
    const code = await codeFor({ email: user.email.toUpperCase() })
    expect((await verify({ email: user.email, code })).body.user.id).toBe(user.id)
  })

  it('signs in the existing user of a phone number', async () => {
    const phone = freshPhone()
    const first = await verify({ phone, code: await codeFor({ phone }) })
    const second = await verify({ phone, code: await codeFor({ phone, channel: 'sms' }) })
    expect(second.body.user.id).toBe(first.body.user.id)
  })

  it('accepts the phone only in the format of the request for the code', async () => {
    const phone = freshPhone()
    const code = await codeFor({ phone })
    const bare = phone.replace(/[^+\d]/g, '')
    expect(refusalOf(await verify({ phone: bare, code }))).toBe('400 invalid_otp')
    expect((await verify({ phone, code })).status).toBe(200)
  })

  it('accepts a code only once', async () => {
    const email = world.freshEmail()
    const code = await codeFor({ email })
    granted(await verify({ email, code }))
    expect(refusalOf(await verify({ email, code }))).toBe('400 invalid_otp')
  })

  it('accepts a code only once, even for many simultaneous requests', async () => {
    const email = world.freshEmail()
    const code = await codeFor({ email })
    const answers = await Promise.all(Array.from({ length: 6 }, () => verify({ email, code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  })

  it('accepts a code for ten minutes', async () => {
    const email = world.freshEmail()
    const inTime = await codeFor({ email })
    await world.advance(LIFETIME - 5)
    granted(await verify({ email, code: inTime }))
    const late = await codeFor({ email })
    await world.advance(LIFETIME + 1)
    expect(refusalOf(await verify({ email, code: late }))).toBe('400 invalid_otp')
  })

  it('accepts only the newest code', async () => {
    const email = world.freshEmail()
    const old = await codeFor({ email })
    const fresh = await codeFor({ email })
    if (old !== fresh) expect(refusalOf(await verify({ email, code: old }))).toBe('400 invalid_otp')
    expect((await verify({ email, code: fresh })).status).toBe(200)
  })

  it('refuses the right code after five wrong codes, until another code is requested', async () => {
    const email = world.freshEmail()
    const code = await codeFor({ email })
    for (let tries = 1; tries <= 5; tries += 1)
      expect(refusalOf(await verify({ email, code: other(code) }))).toBe('400 invalid_otp')
    expect(refusalOf(await verify({ email, code }))).toBe('429 too_many_attempts')
    await world.advance(LIFETIME + 1)
    expect(refusalOf(await verify({ email, code }))).toBe('429 too_many_attempts')
    expect((await verify({ email, code: await codeFor({ email }) })).status).toBe(200)
  })

  it('counts the attempts of many simultaneous requests', async () => {
    const email = world.freshEmail()
    const code = await codeFor({ email })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => verify({ email, code: other(code) })),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it('gives the same answers for an address without a code as for a wrong code', async () => {
    const email = world.freshEmail()
    granted(await send({ email, create_user: false }))
    for (let tries = 1; tries <= 5; tries += 1)
      expect(refusalOf(await verify({ email, code: '123456' }))).toBe('400 invalid_otp')
    expect(refusalOf(await verify({ email, code: '123456' }))).toBe('429 too_many_attempts')
  })

  it('refuses a code in another tenant or for another address, and leaves the code valid', async () => {
    const [email, another] = [world.freshEmail(), world.freshEmail()]
    const code = await codeFor({ email })
    const abroad = await world.at.call('POST', '/auth/v1/otp/verify', {
      headers: { apikey: neighbour.anonKey },
      body: { email, code },
    })
    expect(refusalOf(abroad)).toBe('400 invalid_otp')
    expect(refusalOf(await verify({ email: another, code }))).toBe('400 invalid_otp')
    expect((await verify({ email, code })).status).toBe(200)
  })

  it('creates no user when create_user is false', async () => {
    const { user, access_token } = await world.freshUser()
    granted(await send({ email: user.email, create_user: false }))
    const { code } = await nextMessage(world, user.email)
    granted(await world.auth('DELETE', '/user', undefined, access_token))
    expect(refusalOf(await verify({ email: user.email, code }))).toBe('400 invalid_otp')
  })

  it('creates no user when sign-up is closed', async () => {
    const email = world.freshEmail()
    const code = await codeFor({ email })
    await world.settings({ signup_closed: true })
    expect(refusalOf(await verify({ email, code }))).toBe('403 signup_disabled')
  })

  it('refuses a banned user', async () => {
    const { user } = await world.freshUser()
    const code = await codeFor({ email: user.email })
    await world.ban(user.id, '9999-01-01T00:00:00Z')
    expect(refusalOf(await verify({ email: user.email, code }))).toBe('403 user_banned')
  })

  it('confirms an unconfirmed account, and invalidates the password of its first owner', async () => {
    await world.settings({ confirm_email: true })
    const email = world.freshEmail()
    granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
    await nextMessage(world, email)
    const { body } = await verify({ email, code: await codeFor({ email }) })
    expect(body.user.email_confirmed_at).toEqual(expect.any(String))
    expect(refusalOf(await world.auth('POST', '/signin', { email, password: PASSWORD }))).toBe(
      '401 invalid_credentials',
    )
  })

  it.each([
    ['no code', { email: 'a@example.com' }],
    ['no target', { code: '123456' }],
    ['a number as the code', { email: 'a@example.com', code: 123456 }],
    ['a list as the code', { email: 'a@example.com', code: ['123456'] }],
    ['a NUL in the code', { email: 'a@example.com', code: '12345\0' }],
    ['a code of 10 kB', { email: 'a@example.com', code: '1'.repeat(10_000) }],
    ['an empty code', { email: 'a@example.com', code: '' }],
  ])('refuses %s', async (_, body) => {
    expect(refusalOf(await verify(body))).toBe('400 invalid_request')
  })

  it.each(['１２３４５６', ' 123456', "' or true --", '😀'])(
    'treats %j as a wrong code',
    async (code) => {
      const email = world.freshEmail()
      granted(await send({ email }))
      expect(refusalOf(await verify({ email, code }))).toBe('400 invalid_otp')
    },
  )
})
