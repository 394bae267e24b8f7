// Functions of the client library for the session, and the events that listeners receive (docs/wire/auth.md#client-events).
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import {
  createDevice,
  createPlatform,
  openTab,
  sessionAnswer,
  settled,
  userRecord,
} from '../../../support/client-device.ts'

const credentials = { email: 'ana@example.com', password: 'secret' }

function platformOf(answers: Readonly<Record<string, readonly [number, unknown]>>) {
  return createPlatform(({ method, url }) => {
    const { pathname } = new URL(url)
    return answers[`${method} ${pathname}`] ?? answers[pathname] ?? [200, {}]
  })
}

it('sends every listener the initial session first, and nothing after unsubscribe', async () => {
  const session = sessionAnswer()
  const { auth } = openTab(createDevice(), platformOf({ '/auth/v1/signin': [200, session] }))
  const heard: unknown[] = []
  const { subscription } = auth.onAuthStateChange((event, of) => heard.push([event, of])).data
  await auth.signInWithPassword(credentials)
  await settled()
  subscription.unsubscribe()
  await auth.signOut()
  await settled()
  expect(heard).toEqual([
    ['INITIAL_SESSION', null],
    ['SIGNED_IN', session],
  ])
})

it.each([
  [
    'throws',
    () => {
      throw new Error('of the listener')
    },
  ],
  ['rejects', () => Promise.reject(new Error('of the listener'))],
])('reports a listener that %s and continues with the next listener', async (_how, listener) => {
  const device = createDevice()
  const { auth } = openTab(device, platformOf({ '/auth/v1/signin': [200, sessionAnswer()] }))
  const heard: unknown[] = []
  auth.onAuthStateChange(listener)
  auth.onAuthStateChange((event) => heard.push(event))
  const { error } = await auth.signInWithPassword(credentials)
  await settled()
  expect(error).toBeNull()
  expect(heard).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
  expect(device.reported.map(String)).toEqual(['Error: of the listener', 'Error: of the listener'])
})

it('does not end a Node process when a listener throws', async () => {
  const program = `
    import { createClient } from './client/index.ts'
    const { auth, close } = createClient('http://127.0.0.1:9', 'key', { project: 'shop' })
    auth.onAuthStateChange(() => { throw new Error('of the listener') })
    auth.onAuthStateChange((event) => { console.log(event); setImmediate(() => { console.log('alive'); close() }) })
  `
  const ended = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    program,
  ])
  expect(ended.stdout).toBe('INITIAL_SESSION\nalive\n')
  expect(ended.stderr).toContain('Error: of the listener')
})

it('lets a listener call the library', async () => {
  const { auth } = openTab(
    createDevice(),
    platformOf({ '/auth/v1/signin': [200, sessionAnswer()] }),
  )
  const users: unknown[] = []
  auth.onAuthStateChange(async () => users.push((await auth.getSession()).data.session?.user.id))
  await auth.signInWithPassword(credentials)
  await settled()
  expect(users.at(-1)).toBe('user-1')
})

it('notifies another tab of a sign-in, a changed user and a sign-out', async () => {
  const device = createDevice()
  const platform = platformOf({
    '/auth/v1/signin': [200, sessionAnswer()],
    'PATCH /auth/v1/user': [200, { user: userRecord({ user_metadata: { a: 1 } }) }],
  })
  const options = { autoRefreshToken: false }
  const [here, there] = [openTab(device, platform, options), openTab(device, platform, options)]
  const heard: unknown[] = []
  there.auth.onAuthStateChange((event, session) => heard.push([event, session?.user.user_metadata]))
  await settled()
  await here.auth.signInWithPassword(credentials)
  await settled()
  await here.auth.updateUser({ data: { a: 1 } })
  await settled()
  await here.auth.signOut()
  await settled()
  expect(heard).toEqual([
    ['INITIAL_SESSION', undefined],
    ['SIGNED_IN', {}],
    ['USER_UPDATED', { a: 1 }],
    ['SIGNED_OUT', undefined],
  ])
})

it('restores the session of an earlier visit', async () => {
  const device = createDevice()
  const session = sessionAnswer()
  const platform = platformOf({ '/auth/v1/signin': [200, session] })
  await openTab(device, platform).auth.signInWithPassword(credentials)
  expect((await openTab(device, platform).auth.getSession()).data.session).toEqual(session)
})

it('ignores text of another program in the storage', async () => {
  const device = createDevice()
  for (const text of ['{', '{}', '[]', 'null', '{"session":{"access_token":1}}']) {
    await device.storage.setItem('tenantry.auth.platform.test.shop', text)
    const { data, error } = await openTab(device, platformOf({})).auth.getSession()
    expect([data.session, error]).toEqual([null, null])
  }
})

it('renews the session after the user’s metadata changed, so that policies see the new metadata', async () => {
  const device = createDevice()
  const renewed = sessionAnswer()
  const user = userRecord({ user_metadata: { plan: 'gold' } })
  const { auth } = openTab(
    device,
    platformOf({
      '/auth/v1/signin': [200, sessionAnswer()],
      '/auth/v1/token/refresh': [200, renewed],
      'PATCH /auth/v1/user': [200, { user }],
    }),
  )
  await auth.signInWithPassword(credentials)
  const updating = auth.updateUser({ data: { plan: 'gold' } })
  await device.clock.advance(1_000)
  expect((await updating).data).toEqual({ user })
  const { data } = await auth.getSession()
  expect(data.session).toEqual({ ...renewed, user })
})

it('changes a password when the current password is given', async () => {
  const platform = platformOf({
    '/auth/v1/signin': [200, sessionAnswer()],
    '/auth/v1/user/password': [200, { user: userRecord() }],
  })
  const { auth } = openTab(createDevice(), platform)
  await auth.signInWithPassword(credentials)
  const { error } = await auth.updateUser({ password: 'another', current_password: 'secret' })
  expect(error).toBeNull()
  expect(platform.asked.slice(1)).toMatchObject([
    { method: 'PUT', body: { new_password: 'another', current_password: 'secret' } },
  ])
})

it.each([
  ['local', null],
  ['global', null],
  ['others', expect.anything()],
] as const)('signs out with scope %s', async (scope, left) => {
  const platform = platformOf({ '/auth/v1/signin': [200, sessionAnswer()] })
  const { auth } = openTab(createDevice(), platform)
  await auth.signInWithPassword(credentials)
  expect(await auth.signOut({ scope })).toEqual({ data: null, error: null })
  expect(platform.asked.at(-1)?.body).toEqual({ scope })
  expect((await auth.getSession()).data.session).toEqual(left)
})

it('signs out on this device and returns an error when the platform cannot be reached', async () => {
  const platform = platformOf({ '/auth/v1/signin': [200, sessionAnswer()] })
  const { auth } = openTab(createDevice(), platform)
  await auth.signInWithPassword(credentials)
  platform.answer = () => undefined
  expect((await auth.signOut()).error).toMatchObject({ code: 'network_error' })
  expect((await auth.getSession()).data.session).toBeNull()
})

it('signs out without an error when no session exists', async () => {
  const { auth } = openTab(createDevice(), platformOf({}))
  expect((await auth.signOut()).error).toBeNull()
})

it('forgets the session of a deleted user', async () => {
  const platform = platformOf({
    '/auth/v1/signin': [200, sessionAnswer()],
    'DELETE /auth/v1/user': [200, { deleted: true }],
  })
  const { auth } = openTab(createDevice(), platform)
  await auth.signInWithPassword(credentials)
  expect((await auth.deleteUser()).data).toEqual({ deleted: true })
  expect((await auth.getDataPlaneToken()).data.token).toBeNull()
})

it('returns session_missing when no user is signed in', async () => {
  const { auth } = openTab(createDevice(), platformOf({}))
  const expected = { error: { code: 'session_missing', status: 0 } }
  expect(await auth.getUser()).toMatchObject({ ...expected, data: { user: null } })
  expect(await auth.mfa.list()).toMatchObject({ ...expected, data: { factors: [] } })
  expect(await auth.refreshSession()).toMatchObject({ ...expected, data: { session: null } })
})

it('enrols, lists and removes a second factor', async () => {
  const enrolled = { id: 'f', secret: 's', uri: 'otpauth://totp/x', qr: 'data:image/svg+xml' }
  const platform = platformOf({
    '/auth/v1/signin': [200, sessionAnswer()],
    '/auth/v1/mfa/enroll': [200, enrolled],
    'GET /auth/v1/mfa': [200, { factors: [{ id: 'f' }] }],
  })
  const { auth } = openTab(createDevice(), platform)
  await auth.signInWithPassword(credentials)
  const request = { factorType: 'totp', friendlyName: 'phone' } as const
  expect((await auth.mfa.enroll(request)).data).toEqual(enrolled)
  expect(platform.asked.at(-1)?.body).toEqual(request)
  expect((await auth.mfa.list()).data.factors).toEqual([{ id: 'f' }])
  await auth.mfa.unenroll({ factorId: 'f' })
  expect(platform.asked.at(-1)).toMatchObject({
    method: 'DELETE',
    url: 'http://auth.platform.test/auth/v1/mfa/f',
  })
})
