// An authenticator app, which computes codes from the secret of an enrolment (RFC 6238) in platform time.
import { Secret, TOTP } from 'otpauth'
import type { AuthWorld } from './auth-world.ts'

export const STEP_SECONDS = 30

/** Returns the code of the current time step, or of the time step that is `steps` later. Negative `steps` mean earlier. */
export async function currentCode(
  { at }: Pick<AuthWorld, 'at'>,
  secret: string,
  steps = 0,
): Promise<string> {
  const { body } = await at.call('GET', '/_emulator/v1/clock')
  const timestamp = Date.parse(body.now) + steps * STEP_SECONDS * 1_000
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })
}

/** Moves the clock to the next time step and returns its code, which was never used. */
export async function freshCode(world: AuthWorld, secret: string): Promise<string> {
  await world.advance(STEP_SECONDS)
  return currentCode(world, secret)
}
