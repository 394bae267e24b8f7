// Sessions and events of the client library with a real emulator (docs/wire/auth.md#session).
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/auth-world.ts'
import { createDevice } from '../../support/client-device.ts'
import {
  type ClientWorld,
  listen,
  startClientWorld,
  whileTimePasses,
} from '../../support/client-world.ts'

const MINUTE = 60
const REFRESH = '/auth/v1/token/refresh'

let world: ClientWorld
beforeAll(async () => {
  world = await startClientWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedUp(device = createDevice(), options = {}) {
  const client = world.open(device, options)
  const email = world.freshEmail()
  const { data, error } = await client.auth.signUp({ email, password: PASSWORD })
  if (data.session === null) throw error
  return { client, device, email, session: data.session }
}

it('notifies listeners of sign-up, changed user and sign-out', async () => {
  const client = world.open()
  const heard = listen(client)
  const email = world.freshEmail()
  await client.auth.signUp({ email, password: PASSWORD, options: { data: { plan: 'free' } } })
  const { data } = await client.auth.updateUser({
    password: 'another one',
    current_password: PASSWORD,
  })
  expect(data.user?.user_metadata).toEqual({ plan: 'free' })
  await client.auth.signOut()
  const { error } = await client.auth.signInWithPassword({ email, password: 'another one' })
  expect(error).toBeNull()
  expect(heard).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'USER_UPDATED', 'SIGNED_OUT', 'SIGNED_IN'])
})

it('renews a minute before the end of the platform’s hour', async () => {
  const { client, device, session } = await signedUp()
  const heard = listen(client)
  await world.pass(device, 58 * MINUTE)
  const before = await world.asked(REFRESH)
  await world.pass(device, MINUTE + 1)
  await vi.waitFor(() => expect(heard).toContain('TOKEN_REFRESHED'))
  expect((await world.asked(REFRESH)) - before).toBe(1)
  await world.pass(device, 2 * MINUTE)
  const { data, error } = await client.auth.getUser()
  expect([data.user?.id, error]).toEqual([session.user.id, null])
  client.close()
})

it('refreshes the session once for two clients with the same storage', async () => {
  const { client, device } = await signedUp()
  const other = world.open(device)
  const heard = [listen(client), listen(other)]
  await vi.waitFor(() => expect(heard).toEqual([['INITIAL_SESSION'], ['INITIAL_SESSION']]))
  const before = await world.asked(REFRESH)
  await world.pass(device, 59 * MINUTE + 5)
  await vi.waitFor(() =>
    expect(heard.map((events) => events.at(-1))).toEqual(['TOKEN_REFRESHED', 'TOKEN_REFRESHED']),
  )
  await device.clock.advance(10_000)
  expect((await world.asked(REFRESH)) - before).toBe(1)
  const tokens = await Promise.all([client, other].map(({ auth }) => auth.getDataPlaneToken()))
  expect(tokens[0]).toEqual(tokens[1])
  for (const each of [client, other]) each.close()
})

it('lets the session expire when automatic renewal is off', async () => {
  const { client, device, session } = await signedUp(createDevice(), { autoRefreshToken: false })
  await world.pass(device, 61 * MINUTE)
  expect((await client.auth.getUser()).error).toMatchObject({ code: 'unauthorized', status: 401 })
  expect((await whileTimePasses(device, client.auth.refreshSession())).error).toBeNull()
  expect((await client.auth.getUser()).data.user?.id).toBe(session.user.id)
})

it('is signed out when another client has ended the session', async () => {
  const { client, device, email } = await signedUp()
  const heard = listen(client)
  const elsewhere = world.open()
  await elsewhere.auth.signInWithPassword({ email, password: PASSWORD })
  await elsewhere.auth.signOut({ scope: 'others' })
  expect((await elsewhere.auth.getUser()).error).toBeNull()
  await world.pass(device, 59 * MINUTE + 5)
  await vi.waitFor(() => expect(heard).toContain('SIGNED_OUT'))
  elsewhere.close()
})

it('signs out the user’s other clients with scope global', async () => {
  const { client, email } = await signedUp()
  const elsewhere = world.open()
  await elsewhere.auth.signInWithPassword({ email, password: PASSWORD })
  expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull()
  expect((await elsewhere.auth.getUser()).error).toMatchObject({ status: 401 })
  elsewhere.close()
})

it('starts a session from an access token and a refresh token', async () => {
  const { session } = await signedUp()
  const { access_token, refresh_token } = session
  const client = world.open()
  const heard = listen(client)
  const { data } = await client.auth.setSession({ access_token, refresh_token })
  expect(data.session?.data_plane_token).toMatch(/^eyJ/)
  await vi.waitFor(() => expect(heard).toEqual(['INITIAL_SESSION', 'SIGNED_IN']))
  client.close()
})

it('deletes the account', async () => {
  const { client, email } = await signedUp()
  expect((await client.auth.deleteUser()).data).toMatchObject({ deleted: true })
  expect((await client.auth.getSession()).data.session).toBeNull()
  const again = await client.auth.signInWithPassword({ email, password: PASSWORD })
  expect(again.error).toMatchObject({ code: 'invalid_credentials', status: 401 })
})

it.each([
  // cspell:disable-next-line
  [{ email: 'nobody', password: PASSWORD }, 'invalid_request', 400],
  [{ email: 'short@example.com', password: '1' }, 'weak_password', 400],
])('returns the error of a sign-up with %j', async (credentials, code, status) => {
  const { data, error } = await world.open().auth.signUp(credentials)
  expect(data).toEqual({ user: null, session: null })
  expect(error).toMatchObject({ name: 'AuthError', code, status })
})

it('returns the errors for a taken address, a changed e-mail, and a new password without the current one', async () => {
  const { client, email } = await signedUp()
  const taken = await world.open().auth.signUp({ email, password: PASSWORD })
  expect(taken.error).toMatchObject({ code: 'email_taken', status: 409 })
  const changed = await client.auth.updateUser({ email: 'new@example.com' })
  expect(changed.error).toMatchObject({ code: 'email_change_unsupported', status: 400 })
  const unproved = await client.auth.updateUser({ password: 'another one' })
  expect(unproved.error).toMatchObject({ code: 'current_password_required', status: 400 })
  client.close()
})

it('returns an error when the key and the project belong to different tenants', async () => {
  const { error } = await world.open(createDevice(), { project: 'vendor' }).auth.signUp({
    email: world.freshEmail(),
    password: PASSWORD,
  })
  expect(error).toMatchObject({ code: 'project_conflict', status: 400 })
})
