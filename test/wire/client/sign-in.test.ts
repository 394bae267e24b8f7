// Codes, links and second factors of the client library with a real emulator. The tests read the messages from the mailbox.
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../../support/auth-world.ts'
import { createDevice } from '../../support/client-device.ts'
import { type ClientWorld, listen, startClientWorld } from '../../support/client-world.ts'

let world: ClientWorld
beforeAll(async () => {
  world = await startClientWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function messageTo(recipient: string) {
  const path = `/_emulator/v1/mailbox/next?to=${encodeURIComponent(recipient)}`
  return (await world.at.call('GET', path)).body
}

const manual = { autoRefreshToken: false }

it.each([
  ['email', () => ({ email: world.freshEmail() })],
  ['whatsapp', () => ({ phone: '+55 (11) 98765-4321' })],
  ['sms', () => ({ phone: '+351911222333', channel: 'sms' as const })],
])('signs in with a code sent by %s', async (channel, targetOf) => {
  const { auth } = world.open(createDevice(), manual)
  const target = targetOf()
  const sent = await auth.signInWithOtp(target)
  expect(sent).toEqual({ data: { channel, expires_in: 600 }, error: null })
  const { code } = await messageTo(Object.values(target)[0] ?? '')
  const { data, error } = await auth.verifyOtp({ ...target, code })
  expect(error).toBeNull()
  expect((await auth.getSession()).data.session).toEqual(data.session)
})

it('refuses a wrong, an expired and a used code', async () => {
  const { auth } = world.open(createDevice(), manual)
  const email = world.freshEmail()
  const refusal = { code: 'invalid_otp', status: 400 }
  await auth.sendOtp({ email })
  const { code } = await messageTo(email)
  const wrong = code === '000000' ? '111111' : '000000'
  expect((await auth.verifyOtp({ email, code: wrong })).error).toMatchObject(refusal)
  expect((await auth.verifyOtp({ email, code })).error).toBeNull()
  expect((await auth.verifyOtp({ email, code })).error).toMatchObject(refusal)
  await auth.sendOtp({ email })
  const late = (await messageTo(email)).code
  await world.advance(601)
  expect((await auth.verifyOtp({ email, code: late })).error).toMatchObject(refusal)
})

it('returns the error when a channel cannot send the code', async () => {
  const { auth } = world.open(createDevice(), manual)
  await world.settings({ whatsapp: 'send_failed', sms: 'not_configured' })
  const phone = '+5511987654321'
  expect((await auth.sendOtp({ phone })).error).toMatchObject({
    code: 'whatsapp_send_failed',
    status: 503,
  })
  expect((await auth.sendOtp({ phone, channel: 'sms' })).error).toMatchObject({
    code: 'sms_not_configured',
    status: 400,
  })
  await world.settings({ whatsapp: null, sms: null })
})

it('signs in on the page that a magic link opens', async () => {
  const device = createDevice()
  const client = world.open(device, manual)
  const heard = listen(client)
  const email = world.freshEmail()
  const options = { redirectTo: 'http://localhost:5173/welcome' }
  expect((await client.auth.signInWithMagicLink({ email, options })).error).toBeNull()
  const { link } = await messageTo(email)
  const followed = await fetch(link, { redirect: 'manual' })
  device.page.href = followed.headers.get('location') ?? ''
  expect(device.page.href).toMatch(/^http:\/\/localhost:5173\/welcome#.*access_token=/)
  const { data } = await client.auth.initialize()
  expect(data.session).toMatchObject({
    data_plane_token: expect.stringMatching(/^eyJ/),
    user: { email },
  })
  expect(device.page.href).toBe(options.redirectTo)
  expect(heard).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
  const spent = await fetch(link, { redirect: 'manual' })
  device.page.href = spent.headers.get('location') ?? ''
  const again = await world
    .open(device, { ...manual, storage: createDevice().storage })
    .auth.initialize()
  expect([again.data.session, again.error?.code]).toEqual([null, expect.any(String)])
})

it('resets a password with the token of the link', async () => {
  const { auth } = world.open(createDevice(), manual)
  const email = world.freshEmail()
  await auth.signUp({ email, password: PASSWORD })
  const redirectTo = 'http://localhost:5173/reset'
  expect((await auth.resetPasswordForEmail(email, { redirectTo })).error).toBeNull()
  const { link } = await messageTo(email)
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
  expect((await auth.resetPassword({ token, password: 'a new one' })).error).toBeNull()
  expect((await auth.resetPassword({ token, password: 'once more' })).error?.status).toBe(401)
  const { error } = await auth.signInWithPassword({ email, password: 'a new one' })
  expect(error).toBeNull()
})

it('does not reveal whether an address is registered', async () => {
  const { auth } = world.open(createDevice(), manual)
  const { error } = await auth.resetPasswordForEmail('nobody@example.com')
  expect(error).toBeNull()
})

it('refuses an address that is not on the project’s list', async () => {
  const { auth } = world.open(createDevice(), manual)
  const options = { redirectTo: 'https://elsewhere.example', skipBrowserRedirect: true }
  const { data, error } = await auth.signInWithOAuth({ provider: 'google', options })
  expect(data).toEqual({ provider: 'google', url: null })
  expect(error).toMatchObject({ code: 'invalid_redirect', status: 400 })
})

/** A code of the authenticator app that was not used before. */
async function codeOf(secret: string): Promise<string> {
  await world.advance(30)
  const { body } = await world.at.call('GET', '/_emulator/v1/clock')
  return new TOTP({ secret }).generate({ timestamp: Date.parse(body.now) })
}

it('completes a magic link that requires a second factor', async () => {
  const device = createDevice()
  const { auth } = world.open(device, manual)
  const email = world.freshEmail()
  await auth.signUp({ email, password: PASSWORD })
  const { id: factorId = '', secret = '' } =
    (await auth.mfa.enroll({ factorType: 'totp' })).data ?? {}
  await auth.mfa.verify({ factorId, code: await codeOf(secret) })
  await auth.signOut()
  const options = { redirectTo: 'http://localhost:5173/welcome' }
  await auth.signInWithMagicLink({ email, options })
  const followed = await fetch((await messageTo(email)).link, { redirect: 'manual' })
  device.page.href = followed.headers.get('location') ?? ''
  const { data: owed } = await auth.initialize()
  expect([owed.mfa_required, device.page.href]).toEqual([true, options.redirectTo])
  if (!owed.mfa_required) return
  const { mfa_token, factors } = owed
  const code = await codeOf(secret)
  const { data } = await auth.mfa.verify({ factorId: factors[0]?.id ?? '', code, mfa_token })
  expect(data.user?.email).toBe(email)
})

it('enrols an authenticator, needs its code at the next sign-in, and removes it', async () => {
  const { auth } = world.open(createDevice(), manual)
  const email = world.freshEmail()
  await auth.signUp({ email, password: PASSWORD })
  const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
  const { id: factorId = '', secret = '', uri } = enrolled.data ?? {}
  expect(uri).toMatch(/^otpauth:\/\/totp\//)
  const raised = await auth.mfa.verify({ factorId, code: await codeOf(secret) })
  expect(raised.error).toBeNull()
  expect((await auth.mfa.list()).data.factors).toMatchObject([
    { id: factorId, friendly_name: 'phone', status: 'verified' },
  ])
  await auth.signOut()

  const { data: owed } = await auth.signInWithPassword({ email, password: PASSWORD })
  expect(owed).toMatchObject({ session: null, mfa_required: true, factors: [{ id: factorId }] })
  if (!owed.mfa_required) return
  const { mfa_token } = owed
  const wrong = await auth.mfa.verify({ factorId, code: 'x', mfa_token })
  expect(wrong.error).toMatchObject({ code: 'invalid_otp', status: 400 })
  const right = await auth.mfa.verify({ factorId, code: await codeOf(secret), mfa_token })
  expect((await auth.getSession()).data.session).toEqual(right.data.session)
  expect((await auth.mfa.unenroll({ factorId })).error).toBeNull()
  expect((await auth.mfa.list()).data.factors).toEqual([])
})
