// Requests whose session ends after they were authenticated, while their bodies arrive.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { lateBody } from '../../support/late-body.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Sends a request that is authenticated before its session is ended. */
async function overtaken(method: string, path: string, body: object, session: Json): Promise<Json> {
  const end = () => world.auth('POST', '/signout', { scope: 'global' }, session.access_token)
  const init = {
    method,
    headers: {
      apikey: world.tenant.anonKey,
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
    },
    body: lateBody(body, end),
    duplex: 'half',
  }
  const request = new Request(`${world.at.url}/auth/v1${path}`, init)
  const response = await world.at.emulator.fetch(request)
  return { status: response.status, body: await response.json() }
}

describe('a session that ends while the request body arrives', () => {
  it('changes no password', async () => {
    const session = await world.freshUser()
    const passwords = { current_password: PASSWORD, new_password: 'a newer horse' }
    expect((await overtaken('PUT', '/user/password', passwords, session)).status).toBe(401)
    const { email } = session.user
    granted(await world.auth('POST', '/signin', { email, password: PASSWORD }))
  })

  it('enrols no factor', async () => {
    const session = await world.freshUser()
    const answer = await overtaken('POST', '/mfa/enroll', { factorType: 'totp' }, session)
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    const { email } = session.user
    const { user } = granted(await world.auth('POST', '/signin', { email, password: PASSWORD }))
    expect(user.factors).toEqual([])
  })
})
