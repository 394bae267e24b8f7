// The requests and results of each way to sign in (docs/wire/auth.md#session).
import { expect, it } from 'vitest'
import {
  type Answering,
  createDevice,
  createPlatform,
  openTab,
  sessionAnswer,
  userRecord,
} from '../../../support/client-device.ts'

function world(answer: Answering) {
  const device = createDevice()
  const platform = createPlatform(answer)
  const client = openTab(device, platform)
  return { device, platform, client, auth: client.auth }
}

it('signs up a user with metadata', async () => {
  const session = sessionAnswer()
  const { auth, platform } = world(() => [200, session])
  const { data, error } = await auth.signUp({
    email: 'ana@example.com',
    password: 'secret',
    options: { data: { plan: 'gold' } },
  })
  expect(error).toBeNull()
  expect(data.session).toEqual(session)
  expect(platform.asked).toMatchObject([
    {
      method: 'POST',
      url: 'http://auth.platform.test/auth/v1/signup',
      headers: { apikey: 'anon-key', 'x-superdb-project': 'shop' },
      body: { email: 'ana@example.com', password: 'secret', data: { plan: 'gold' } },
    },
  ])
})

it('returns a user without a session while the address is unconfirmed', async () => {
  const { auth } = world(() => [200, { user: userRecord(), session: null }])
  const { data } = await auth.signUp({ email: 'ana@example.com', password: 'secret' })
  expect(data).toEqual({ user: userRecord(), session: null })
  expect((await auth.getSession()).data.session).toBeNull()
})

it('returns a required second factor as data', async () => {
  const owed = { mfa_required: true, mfa_token: 'm', factors: [{ id: 'f' }] }
  const { auth } = world(() => [200, owed])
  const { data, error } = await auth.signInWithPassword({ email: 'a@b', password: 'secret' })
  expect(error).toBeNull()
  expect(data).toEqual({ user: null, session: null, ...owed })
})

it('verifies a required second factor with the code', async () => {
  const session = sessionAnswer()
  const { auth, platform } = world(() => [200, session])
  await auth.mfa.verify({ factorId: 'f', code: '123456', mfa_token: 'm' })
  expect(platform.asked[0]?.body).toEqual({ factorId: 'f', code: '123456', mfa_token: 'm' })
  expect(platform.asked[0]?.headers).not.toHaveProperty('authorization')
  expect((await auth.getSession()).data.session).toEqual(session)
})

it.each([
  [{ email: 'a@b' }, { email: 'a@b', channel: 'email' }],
  [{ phone: '+55 11' }, { phone: '+55 11', channel: 'whatsapp' }],
  [
    { phone: '+55 11', channel: 'sms' as const, createUser: false },
    { phone: '+55 11', channel: 'sms', create_user: false },
  ],
])('sends a code to %j', async (target, body) => {
  const { auth, platform } = world(() => [200, {}])
  await auth.signInWithOtp(target)
  expect(platform.asked[0]).toMatchObject({ url: expect.stringContaining('/otp/send'), body })
})

it('signs in with a code', async () => {
  const session = sessionAnswer()
  const { auth, platform } = world(() => [200, session])
  const { data } = await auth.verifyOtp({ phone: '+55 11', code: '123456' })
  expect(platform.asked[0]?.body).toEqual({ phone: '+55 11', code: '123456' })
  expect(data.session).toEqual(session)
})

it('stores the verifier of a social sign-in and uses it once', async () => {
  const { auth, platform, device } = world(({ url }) =>
    url.includes('/authorize/') ? [200, { url: 'http://consent.test/' }] : [200, sessionAnswer()],
  )
  const begun = await auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: 'http://app.test/back' },
  })
  expect(begun.data).toEqual({ provider: 'google', url: 'http://consent.test/' })
  expect(device.page.visited).toEqual(['http://consent.test/'])
  const asked = new URL(platform.asked[0]?.url ?? '')
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    redirect_to: 'http://app.test/back',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    return: 'json',
  })
  expect((await auth.exchangeCodeForSession('c')).error).toBeNull()
  expect(platform.asked[1]?.body).toEqual({
    code: 'c',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect((await auth.exchangeCodeForSession('c')).error).toMatchObject({
    code: 'pkce_verifier_missing',
    status: 0,
  })
})

it('does not navigate away when skipBrowserRedirect is set', async () => {
  const { auth, device } = world(() => [200, { url: 'http://consent.test/' }])
  await auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
  expect(device.page.visited).toEqual([])
})

it('completes a sign-in from the tokens in the page’s address, and removes the tokens', async () => {
  const session = sessionAnswer()
  const { auth, platform, device } = world(() => [200, session])
  device.page.href = 'http://app.test/in#access_token=a&refresh_token=r'
  expect((await auth.initialize()).data).toEqual({ session, mfa_required: false })
  expect(platform.asked[0]?.body).toEqual({ refresh_token: 'r' })
  expect(device.page.href).toBe('http://app.test/in')
})

it('returns the required second factor from the page’s address', async () => {
  const { auth, platform, device } = world(() => [500, {}])
  device.page.href = 'http://app.test/in#mfa_required=true&mfa_token=m&factor_id=f&factor_id=g'
  expect(await auth.initialize()).toEqual({
    data: {
      user: null,
      session: null,
      mfa_required: true,
      mfa_token: 'm',
      factors: [{ id: 'f' }, { id: 'g' }],
    },
    error: null,
  })
  expect([device.page.href, platform.asked]).toEqual(['http://app.test/in', []])
})

it('returns the second factor that a social sign-in requires', async () => {
  const { auth, platform, device } = world(() => [200, { url: 'http://consent.test/' }])
  await auth.signInWithOAuth({ provider: 'google' })
  platform.answer = () => [200, { mfa_required: true, mfa_token: 'm', factors: [{ id: 'f' }] }]
  device.page.href = 'http://app.test/?code=c'
  expect((await auth.initialize()).data).toMatchObject({ mfa_required: true, mfa_token: 'm' })
})

it('returns the error from the page’s address', async () => {
  const { auth, device } = world(() => [500, {}])
  device.page.href = 'http://app.test/?error=access_denied&error_description=No'
  expect((await auth.initialize()).error).toMatchObject({ code: 'access_denied' })
  expect(device.page.href).toBe('http://app.test/')
})

it('ignores a code that no sign-in of this browser requested', async () => {
  const { auth, platform, device } = world(() => [500, {}])
  device.page.href = 'http://app.test/?code=voucher'
  const data = { session: null, mfa_required: false }
  expect(await auth.initialize()).toEqual({ data, error: null })
  expect([device.page.href, platform.asked]).toEqual(['http://app.test/?code=voucher', []])
})

it('can exchange a code again when the first request got no response', async () => {
  const { auth, platform } = world(() => [200, { url: 'http://consent.test/' }])
  await auth.signInWithOAuth({ provider: 'google' })
  platform.answer = () => undefined
  expect((await auth.exchangeCodeForSession('c')).error).toMatchObject({ code: 'network_error' })
  platform.answer = () => [400, { error: { code: 'pkce_mismatch', message: 'Burnt.' } }]
  expect((await auth.exchangeCodeForSession('c')).error).toMatchObject({ code: 'pkce_mismatch' })
  expect((await auth.exchangeCodeForSession('c')).error).toMatchObject({
    code: 'pkce_verifier_missing',
  })
})

it('requests magic links and password resets by e-mail', async () => {
  const { auth, platform } = world(() => [200, {}])
  await auth.signInWithMagicLink({ email: 'a@b', options: { redirectTo: 'http://app.test/' } })
  await auth.resetPasswordForEmail('a@b', { redirectTo: 'http://app.test/reset' })
  await auth.resetPassword({ token: 't', password: 'another' })
  expect(platform.asked.map(({ url, body }) => [new URL(url).pathname, body])).toEqual([
    ['/auth/v1/signin/magic-link', { email: 'a@b', redirect_to: 'http://app.test/' }],
    ['/auth/v1/password/forgot', { email: 'a@b', redirect_to: 'http://app.test/reset' }],
    ['/auth/v1/password/reset', { token: 't', new_password: 'another' }],
  ])
})

it.each([
  [
    [401, { error: { code: 'invalid_credentials', message: 'Wrong.' } }],
    { code: 'invalid_credentials', status: 401, message: 'Wrong.' },
  ],
  [
    [400, { error: { code: 'invalid_request', message: 'No.' }, details: { email: 'missing' } }],
    { code: 'invalid_request', status: 400, details: { email: 'missing' } },
  ],
  [[502, 'bad gateway'], { code: 'unexpected_answer', status: 502 }],
  [[200, { hello: 1 }], { code: 'unexpected_answer', status: 0 }],
  [
    undefined,
    { code: 'network_error', status: 0, message: expect.stringContaining('auth.platform') },
  ],
] as const)('returns the response %j as an error', async (answer, expected) => {
  const { auth } = world(() => answer)
  const { data, error } = await auth.signInWithPassword({ email: 'a@b', password: 'x' })
  expect(data).toEqual({ user: null, session: null, mfa_required: false })
  expect(error).toMatchObject({ name: 'AuthError', ...expected })
})

it('returns a failure of the session storage as an error', async () => {
  const storage = {
    getItem: () => null,
    setItem: () => Promise.reject(new Error('disk full')),
    removeItem: () => undefined,
  }
  const platform = createPlatform(() => [200, sessionAnswer()])
  const { auth } = openTab(createDevice(), platform, { storage })
  const { error } = await auth.signInWithPassword({ email: 'a@b', password: 'x' })
  expect(error).toMatchObject({ code: 'unexpected_failure', message: 'disk full' })
})
