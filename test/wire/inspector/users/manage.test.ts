// Creating and reading users over /_emulator/v1: sessions, factors, passwords.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../../support/auth-world.ts'
import type { Answer, Json } from '../../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const users = (method: string, path: string, body?: unknown): Promise<Answer<Json>> =>
  world.at.call(
    method,
    `/_emulator/v1/projects/${world.tenant.slug}/users${path}`,
    body === undefined ? {} : { body },
  )
const signIn = (email: string, password = PASSWORD) =>
  world.auth('POST', '/signin', { email, password })

describe('a new user', () => {
  it('can sign in at once, has its metadata, and gets no message', async () => {
    const made = await users('POST', '', {
      email: 'made@x.test',
      password: PASSWORD,
      user_metadata: { plan: 'gold', 'back\\u0000slash': 1 },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      email: 'made@x.test',
      user_metadata: { plan: 'gold' },
      identities: [{ provider: 'email' }],
      banned_until: null,
    })
    expect(made.body.email_confirmed_at).not.toBeNull()
    const session = granted(await signIn('made@x.test'))
    expect(session.user.id).toBe(made.body.id)
    const mailbox = await world.at.call('GET', '/_emulator/v1/mailbox?to=made@x.test')
    expect(mailbox.body.messages).toEqual([])
  })

  it('may have only a telephone number, an unconfirmed address, or no password', async () => {
    const phone = await users('POST', '', { phone: '+5511912345678' })
    expect(phone.body).toMatchObject({ email: null, identities: [{ provider: 'phone' }] })
    expect(phone.body.phone_confirmed_at).not.toBeNull()
    const both = await users('POST', '', { email: 'both@x.test', email_confirmed: false })
    expect(both.body.email_confirmed_at).toBeNull()
    expect((await users('GET', `/${both.body.id}`)).body.has_password).toBe(false)
    expect(refusalOf(await signIn('both@x.test'))).toBe('401 invalid_credentials')
  })

  it.each([
    [{}, 400],
    [{ email: 'no address' }, 400],
    [{ phone: 'x' }, 400],
    [{ email: 'a@x.test', password: 'short' }, 400],
    [{ phone: '+5511912345679', password: PASSWORD }, 400],
    [{ email: 'a@x.test', user_metadata: { big: 'x'.repeat(40_000) } }, 400],
    [{ email: 'a@x.test', user_metadata: { nul: '\0' } }, 400],
    [{ email: 'a@x.test', user_metadata: { half: '\ud800' } }, 400],
    [{ email: 'a@x.test', role: 'service_role' }, 400],
    [{ email: 'MADE@x.test' }, 409],
    [[], 400],
  ])('with %j is refused', async (body, status) => {
    expect((await users('POST', '', body)).status).toBe(status)
  })
})

describe('a user', () => {
  it('is returned with sessions, newest first, and whether it has a password', async () => {
    const { user } = await world.freshUser()
    await world.advance(5)
    granted(await signIn(user.email))
    const detail = await users('GET', `/${user.id}`)
    expect(detail.body).toMatchObject({ id: user.id, has_password: true, banned_until: null })
    expect(detail.body.sessions).toHaveLength(2)
    expect(detail.body.sessions[0]).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'password' }],
      revoked_at: null,
    })
    expect(detail.body.sessions[0].created_at > detail.body.sessions[1].created_at).toBe(true)
    expect(detail.text).not.toMatch(/hash|secret|scrypt/)
    const byAddress = await users('GET', `/${encodeURIComponent(user.email.toUpperCase())}`)
    expect(byAddress.body.id).toBe(user.id)
  })

  it('loses one session or all sessions on request', async () => {
    const first = await world.freshUser()
    const second = granted(await signIn(first.user.email))
    const { body } = await users('GET', `/${first.user.id}`)
    const [newest] = body.sessions
    const ended = await users('DELETE', `/${first.user.id}/sessions/${newest.id}`)
    expect(ended.body).toEqual({ sessions_revoked: 1 })
    const refresh = (session: Json) =>
      world.auth('POST', '/token/refresh', { refresh_token: session.refresh_token })
    const refused = [await refresh(first), await refresh(second)].filter(
      ({ status }) => status === 401,
    )
    expect(refused).toHaveLength(1)
    const again = await users('DELETE', `/${first.user.id}/sessions/${newest.id}`)
    expect(refusalOf(again)).toBe('404 not_found')
    const all = await users('DELETE', `/${first.user.id}/sessions`)
    expect(all.body).toEqual({ sessions_revoked: 1 })
    expect((await users('DELETE', `/${first.user.id}/sessions`)).body).toEqual({
      sessions_revoked: 0,
    })
  })

  it('keeps its sessions when the path names another user', async () => {
    const [one, other] = [await world.freshUser(), await world.freshUser()]
    const { body } = await users('GET', `/${other.user.id}`)
    const answer = await users('DELETE', `/${one.user.id}/sessions/${body.sessions[0].id}`)
    expect(answer.status).toBe(404)
    expect((await users('GET', `/${other.user.id}`)).body.sessions[0].revoked_at).toBeNull()
  })

  it.each([
    ['GET', '/nobody@x.test'],
    ['GET', '/%00'],
    ['GET', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11'],
    ['DELETE', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11/sessions'],
    ['DELETE', '/no-uuid/sessions'],
    ['DELETE', '/7b9d9a3e-1d5c-4c58-9d0f-5f0f3f1f2a11/sessions/x'],
  ])('is not found when unknown: %s %s', async (method, path) => {
    expect(refusalOf(await users(method, path))).toBe('404 not_found')
  })
})
