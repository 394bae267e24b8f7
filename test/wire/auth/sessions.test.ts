// Sessions: one hour, rotation of refresh tokens, grace time, reuse, sign-out (docs/wire/auth.md#refresh).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  claimsOf,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refresh = (refreshToken: unknown) =>
  world.auth('POST', '/token/refresh', { refresh_token: refreshToken })
const whoAmI = (session: Json) => world.auth('GET', '/user', undefined, session.access_token)
/** The claims of a PASETO v4.public token: the payload without its signature of 64 bytes. */
const pasetoClaims = (token: string): Json =>
  JSON.parse(
    Buffer.from(token.split('.')[2] ?? '', 'base64url')
      .subarray(0, -64)
      .toString(),
  )
const signInAgain = async (session: Json): Promise<Json> =>
  granted(await world.auth('POST', '/signin', { email: session.user.email, password: PASSWORD }))

describe('POST /auth/v1/token/refresh', () => {
  it('returns a new pair for the same session', async () => {
    const session = await world.freshUser()
    const next = granted(await refresh(session.refresh_token))
    expect(next.refresh_token).not.toBe(session.refresh_token)
    expect(claimsOf(next.data_plane_token).session_id).toBe(
      claimsOf(session.data_plane_token).session_id,
    )
  })

  it('returns tokens that expire an hour after the refresh', async () => {
    const session = await world.freshUser()
    await world.advance(1_800)
    const next = granted(await refresh(session.refresh_token))
    expect(next.expires_at - session.expires_at).toBeGreaterThanOrEqual(1_800)
  })

  it('works after the access_token has expired', async () => {
    const session = await world.freshUser()
    await world.advance(40 * 24 * 3_600)
    const next = granted(await refresh(session.refresh_token))
    expect((await whoAmI(next)).status).toBe(200)
  })

  it('returns the same pair to two simultaneous refreshes', async () => {
    const { refresh_token } = await world.freshUser()
    const [one, other] = await Promise.all([refresh(refresh_token), refresh(refresh_token)])
    expect(one.status).toBe(200)
    expect(other.text).toBe(one.text)
  })

  it('returns the same pair for a used refresh token within ten seconds', async () => {
    const { refresh_token } = await world.freshUser()
    await world.clock({ freeze: true })
    const first = await refresh(refresh_token)
    await world.advance(10)
    const second = await refresh(refresh_token)
    await world.clock({ resume: true })
    expect(second.text).toBe(first.text)
  })

  it('returns tokens of the project’s new keys, even for a used refresh token', async () => {
    const { at, group } = world
    const { anonKey } = await provisionTenant(at, group, 'rekeyed')
    const ask = (path: string, apikey: string, body: Json) =>
      at.call<Json>('POST', `/auth/v1${path}`, { headers: { apikey }, body })
    const account = { email: world.freshEmail(), password: PASSWORD }
    const { refresh_token } = granted(await ask('/signup', anonKey, account))
    granted(await ask('/token/refresh', anonKey, { refresh_token }))
    const path = `/platform/v1/projects/${claimsOf(anonKey).project_id}/keys/regenerate`
    // Uses a new session, because a moved clock may have expired earlier sessions.
    const credential = (await at.emulator.ready(at.url)).platform.session_token
    const { anon_key: apikey } = granted(await at.call('POST', path, { credential }))
    const again = granted(await ask('/token/refresh', apikey, { refresh_token }))
    const token = await at.call('POST', '/st/v1/token', { credential: again.data_plane_token })
    expect(token.status).toBe(200)
  })

  it('ends the session when a used refresh token is sent after ten seconds', async () => {
    const { refresh_token } = await world.freshUser()
    const next = granted(await refresh(refresh_token))
    await world.advance(11)
    expect(refusalOf(await refresh(refresh_token))).toBe('401 unauthorized')
    expect(refusalOf(await refresh(next.refresh_token))).toBe('401 unauthorized')
    expect(refusalOf(await whoAmI(next))).toBe('401 unauthorized')
  })

  it('keeps the user’s other sessions when a reused token ends one session', async () => {
    const session = await world.freshUser()
    const other = await signInAgain(session)
    await refresh(session.refresh_token)
    await world.advance(11)
    await refresh(session.refresh_token)
    expect((await refresh(other.refresh_token)).status).toBe(200)
  })

  it('refuses a used refresh token after the session signed out', async () => {
    const session = await world.freshUser()
    const next = granted(await refresh(session.refresh_token))
    await world.auth('POST', '/signout', undefined, next.access_token)
    expect(refusalOf(await refresh(session.refresh_token))).toBe('401 unauthorized')
  })

  it('returns the user’s current record', async () => {
    const session = await world.freshUser()
    await world.auth('PATCH', '/user', { data: { team: 'red' } }, session.access_token)
    const next = granted(await refresh(session.refresh_token))
    expect(next.user.user_metadata).toEqual({ team: 'red' })
    expect(claimsOf(next.data_plane_token).user_metadata).toEqual({ team: 'red' })
  })

  it.each([
    ['an unknown token', 'x'.repeat(43), '401 unauthorized'],
    ['no token', undefined, '400 invalid_request'],
    ['something else than text', 7, '400 invalid_request'],
  ])('refuses %s', async (_, token, refusal) => {
    expect(refusalOf(await refresh(token))).toBe(refusal)
  })

  it('refuses an access_token in place of the refresh token', async () => {
    const session = await world.freshUser()
    expect(refusalOf(await refresh(session.access_token))).toBe('401 unauthorized')
  })

  it('does not call functions that the tenant has defined', async () => {
    const session = await world.freshUser()
    await world.execute(
      `create function to_jsonb(text) returns jsonb language plpgsql as $$ begin raise 'stolen: %', $1; end $$`,
    )
    const next = await refresh(session.refresh_token)
    await world.execute('drop function to_jsonb(text)')
    expect(next.status).toBe(200)
  })
})

describe('an access_token', () => {
  it('contains its time of issue, and differs from another access_token of the same second', async () => {
    const session = await world.freshUser()
    await world.clock({ freeze: '2027-01-01T09:00:00Z' })
    const next = granted(await refresh(session.refresh_token))
    const third = granted(await refresh(next.refresh_token))
    await world.clock({ reset: true })
    const [one, other] = [next, third].map((each) => pasetoClaims(each.access_token))
    expect(one).toMatchObject({ iat: '2027-01-01T09:00:00Z', exp: '2027-01-01T10:00:00Z' })
    expect(other).toEqual({ ...one, jti: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(other.jti).not.toBe(one.jti)
    expect(third.access_token).not.toBe(next.access_token)
  })

  it('stays valid when the clock is set back', async () => {
    await world.advance(7_200)
    const session = await world.freshUser()
    await world.advance(-7_200)
    expect((await whoAmI(session)).status).toBe(200)
  })

  it('is valid for one hour', async () => {
    const session = await world.freshUser()
    await world.clock({ freeze: true })
    await world.advance(3_590)
    const early = await whoAmI(session)
    await world.advance(20)
    const late = await whoAmI(session)
    await world.clock({ resume: true })
    expect([early.status, late.status]).toEqual([200, 401])
  })

  it.each([
    ['no bearer', () => undefined],
    ['a data_plane_token', (session: Json) => session.data_plane_token],
    ['a key', () => world.tenant.anonKey],
    ['a dashboard session', () => world.at.session],
    ['a forged access_token', (session: Json) => `${session.access_token.slice(0, -4)}AAAA`],
  ])('cannot be replaced by %s', async (_, bearer) => {
    const token = bearer(await world.freshUser())
    expect(refusalOf(await world.auth('GET', '/user', undefined, token))).toBe('401 unauthorized')
  })
})

describe('POST /auth/v1/signout', () => {
  const signOut = (session: Json, body?: unknown) =>
    world.auth('POST', '/signout', body, session.access_token)
  const standing = async (sessions: readonly Json[]): Promise<readonly number[]> =>
    Promise.all(sessions.map(async (session) => (await whoAmI(session)).status))

  it.each([
    ['only this session when no scope is given', undefined, [401, 200]],
    ['only this session with scope local', { scope: 'local' }, [401, 200]],
    ['all of the user’s sessions with scope global', { scope: 'global' }, [401, 401]],
    ['all other sessions with scope others', { scope: 'others' }, [200, 401]],
  ])('ends %s', async (_, body, left) => {
    const session = await world.freshUser()
    const other = await signInAgain(session)
    expect((await signOut(session, body)).status).toBe(200)
    expect(await standing([session, other])).toEqual(left)
  })

  it('keeps the sessions of other users', async () => {
    const [session, stranger] = [await world.freshUser(), await world.freshUser()]
    await signOut(session, { scope: 'global' })
    expect((await whoAmI(stranger)).status).toBe(200)
  })

  it('ends the refresh token as well', async () => {
    const session = await world.freshUser()
    await signOut(session)
    expect(refusalOf(await refresh(session.refresh_token))).toBe('401 unauthorized')
  })

  it('is refused with 401 the second time', async () => {
    const session = await world.freshUser()
    await signOut(session)
    expect(refusalOf(await signOut(session))).toBe('401 unauthorized')
  })

  it('refuses an unknown scope', async () => {
    const session = await world.freshUser()
    expect(refusalOf(await signOut(session, { scope: 'all' }))).toBe('400 invalid_request')
  })
})
