// Sends requests to /auth/v1/mfa, and creates users with a verified factor. The platform clock is frozen.
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from './auth-world.ts'
import { freshCode } from './authenticator.ts'
import { type Answer, type Json, provisionTenant, type TestTenant } from './test-emulator.ts'

export interface MfaWorld extends AuthWorld {
  /** Another tenant of the group. */
  readonly neighbour: TestTenant
  enrol(session: Json, body?: unknown): Promise<Answer<Json>>
  verify(session: Json, body: unknown): Promise<Answer<Json>>
  remove(session: Json, id: string): Promise<Answer<Json>>
  factorsOf(session: Json): Promise<Json>
  /** Signs in with the password, and returns the required second step. */
  owe(user: Pick<Guarded, 'email'>): Promise<Json>
  /** Sends the second step of a sign-in. */
  redeem(body: unknown): Promise<Answer<Json>>
  /** Creates a user with a verified factor. */
  guardedUser(): Promise<Guarded>
  /** Creates a user with a verified factor, and a second session by password alone from before the factor was verified. */
  earlierSession(): Promise<Guarded & { readonly earlier: Json }>
}

export interface Guarded {
  readonly email: string
  readonly factorId: string
  readonly secret: string
  /** The session of the sign-up, raised to aal2. */
  readonly session: Json
}

export async function startMfaWorld(): Promise<MfaWorld> {
  const world = await startAuthWorld()
  const neighbour = await provisionTenant(world.at, world.group, 'neighbour')
  // Codes depend on the clock. While the clock is frozen, no time step ends between two lines of a test.
  await world.clock({ freeze: true })
  const calls = callsOf(world)
  const guard = async (session: Json): Promise<Guarded> => {
    const { id: factorId, secret } = granted(await calls.enrol(session))
    const code = await freshCode(world, secret)
    const raised = granted(await calls.verify(session, { factorId, code }))
    return { email: session.user.email, factorId, secret, session: raised }
  }
  return {
    ...world,
    ...calls,
    neighbour,
    guardedUser: async () => guard(await world.freshUser()),
    earlierSession: async () => {
      const earlier = await world.freshUser()
      return { ...(await guard(await calls.owe(earlier.user))), earlier }
    },
  }
}

type Calls = Pick<MfaWorld, 'enrol' | 'verify' | 'remove' | 'factorsOf' | 'owe' | 'redeem'>

function callsOf({ auth }: AuthWorld): Calls {
  return {
    enrol: (session, body = { factorType: 'totp' }) =>
      auth('POST', '/mfa/enroll', body, session.access_token),
    verify: (session, body) => auth('POST', '/mfa/verify', body, session.access_token),
    remove: (session, id) => auth('DELETE', `/mfa/${id}`, undefined, session.access_token),
    factorsOf: async (session) =>
      granted(await auth('GET', '/mfa', undefined, session.access_token)).factors,
    owe: async ({ email }) => granted(await auth('POST', '/signin', { email, password: PASSWORD })),
    redeem: (body) => auth('POST', '/mfa/verify', body),
  }
}
