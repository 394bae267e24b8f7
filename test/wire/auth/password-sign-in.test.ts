// POST /auth/v1/signup and /signin, and what their session is good for (seed: End-user authentication; contract.md §6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, PASSWORD, refusalOf, startAuthWorld } from '../../support/auth-world.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('POST /auth/v1/signup', () => {
  it('gives a session with the three tokens and the user', async () => {
    const email = world.freshEmail()
    const { status, body } = await world.auth('POST', '/signup', { email, password: PASSWORD })
    expect(status).toBe(200)
    expect(refusalOf(await world.auth('POST', '/signin', { email, password: 'wrong' }))).toBe(
      '401 invalid_credentials',
    )
    const again = await world.auth('POST', '/signin', { email, password: PASSWORD })
    expect(again.status).toBe(200)
    const fresh = await world.auth('POST', '/token/refresh', {
      refresh_token: again.body.refresh_token,
    })
    expect(fresh.status).toBe(200)
    for (const [m, p, b] of [
      ['GET', '/user'],
      ['PATCH', '/user', { data: { a: 1 } }],
      ['PUT', '/user/password', { new_password: 'x23456', current_password: PASSWORD }],
      ['POST', '/signout', { scope: 'global' }],
      ['POST', '/signout', { scope: 'global' }],
    ] as const) {
      const r = await world.auth(m, p, b, body.access_token)
    }
    const another = await world.freshUser()
    const r = await world.auth('DELETE', '/user', undefined, another.access_token)
  })
})
