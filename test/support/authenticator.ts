// An authenticator app: what a person's phone does with the secret of an enrolment (RFC 6238), by platform time.
import { Secret, TOTP } from 'otpauth'
import type { AuthWorld } from './auth-world.ts'

export const STEP_SECONDS = 30

/** The code of the current time step, or of one `steps` away. */
export async function currentCode(
  { at }: Pick<AuthWorld, 'at'>,
  secret: string,
  steps = 0,
): Promise<string> {
  const { body } = await at.call('GET', '/_emulator/v1/clock')
  const timestamp = Date.parse(body.now) + steps * STEP_SECONDS * 1_000
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })
}

/** A code that was never used: of the next time step, to which the clock is moved. */
export async function freshCode(world: AuthWorld, secret: string): Promise<string> {
  await world.advance(STEP_SECONDS)
  return currentCode(world, secret)
}
