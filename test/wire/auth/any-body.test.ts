// Whatever a body holds, a route of end-user authentication answers it or says what is wrong with it (contract.md §6).
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'

const NAMES = [
  ...['email', 'phone', 'channel', 'create_user', 'code', 'redirect_to', 'token', 'mfa_token'],
  ...['password', 'new_password', 'factorId', 'factorType', 'friendlyName', 'scope', 'data'],
]

const ROUTES = [
  ...['/otp/send', '/otp/verify', '/signin/magic-link', '/password/forgot', '/password/reset'],
  ...['/mfa/enroll', '/mfa/verify', '/signout', '/token/exchange', '/token/refresh'],
]

const plausible = fc.constantFrom(
  ...['a@example.com', '+5511912345678', 'sms', 'email', '123456', 'totp', 'http://localhost:3000'],
  ...['00000000-0000-4000-8000-000000000000', 'correct horse', '\0', '\ud800', "';--", '%00', ''],
)
const value = fc.oneof(
  plausible,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(plausible, { maxLength: 3 }),
)
const body = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6, noNullPrototype: true })

let world: AuthWorld
let token: string
beforeAll(async () => {
  world = await startAuthWorld()
  token = (await world.freshUser()).access_token
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a body of any members', () => {
  it.each(ROUTES)('is answered by POST /auth/v1%s, or refused with a reason', async (path) => {
    await fc.assert(
      fc.asyncProperty(body, async (members) => {
        // The session would end by a sign-out that happens to be a sound one.
        const bearer = path === '/signout' ? 'none' : token
        const answer = await world.auth('POST', path, members, bearer)
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400)
          expect(answer.body.error).toEqual({
            code: expect.stringMatching(/^[a-z_]+$/),
            message: expect.any(String),
          })
      }),
      { numRuns: 40 },
    )
  })
})
