// POST /_emulator/v1/projects/:ref/users/:id/sign-in-link: a link that opens an application with a session of a user.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, startAuthWorld } from '../../../support/auth-world.ts'
import type { Answer, Json } from '../../../support/test-emulator.ts'

const APPLICATION = 'http://localhost:5173/app'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const users = () => `/_emulator/v1/projects/${world.tenant.slug}/users`
const link = (id: string, redirect_to = APPLICATION): Promise<Answer<Json>> =>
  world.at.call('POST', `${users()}/${id}/sign-in-link`, { body: { redirect_to } })

async function follow(url: string): Promise<URL> {
  const answer = await fetch(url, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') ?? '')
}

describe('a sign-in link', () => {
  it('redirects to the application with a session only once, and leaves no trace of its token', async () => {
    const { user } = await world.freshUser()
    const { url, expires_at } = granted(await link(user.id))
    const now = granted(await world.at.call('GET', '/_emulator/v1/clock')).now
    expect(Date.parse(expires_at) - Date.parse(now)).toBeLessThanOrEqual(5 * 60_000)
    const arrived = await follow(url)
    expect(arrived.origin + arrived.pathname).toBe(APPLICATION)
    expect(arrived.search).toBe('')
    const session = new URLSearchParams(arrived.hash.slice(1))
    const refreshed = await world.auth('POST', '/token/refresh', {
      refresh_token: session.get('refresh_token'),
    })
    expect(granted(refreshed).user.id).toBe(user.id)
    expect((await follow(url)).searchParams.get('error')).toBe('invalid_otp')
    const token = new URL(url).searchParams.get('token') ?? ''
    const journal = await world.at.call('GET', '/_emulator/v1/journal?search=verify')
    expect(journal.body.entries).not.toEqual([])
    expect(journal.text).not.toContain(token)
  })

  it('expires after five minutes of platform time', async () => {
    const { user } = await world.freshUser()
    const { url } = granted(await link(user.id))
    await world.advance(301)
    expect((await follow(url)).searchParams.get('error')).toBe('invalid_otp')
  })

  it('works for a user without an e-mail address, and confirms no address', async () => {
    const created = await world.at.call('POST', users(), {
      body: { phone: '+5551990000001', phone_confirmed: false },
    })
    const { id } = granted(created)
    const arrived = await follow(granted(await link(id)).url)
    expect(arrived.hash).toContain('refresh_token=')
    const after = granted(await world.at.call('GET', `${users()}/${id}`))
    expect(after).toMatchObject({ email_confirmed_at: null, phone_confirmed_at: null })
  })

  it('refuses a banned user as any sign-in does', async () => {
    const { user } = await world.freshUser()
    const { url } = granted(await link(user.id))
    await world.ban(user.id, '9999-01-01T00:00:00Z')
    expect((await follow(url)).searchParams.get('error')).toBe('user_banned')
  })

  it('redirects only to addresses that the project allows', async () => {
    const { user } = await world.freshUser()
    expect(await link(user.id, 'https://app.acme.test/')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', hint: expect.stringContaining('redirect_urls') } },
    })
    await world.settings({ redirect_urls: ['https://app.acme.test/'] })
    expect((await link(user.id, 'https://app.acme.test/')).status).toBe(201)
  })

  it('returns 404 for an unknown user', async () => {
    expect((await link('00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })
})
