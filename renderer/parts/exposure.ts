// Rates how dangerous it is that an identity reaches data. The audit and the schema map show each rating as a colour. Pure.
import { NEW_USER } from '../../emulator/contract/choices.ts'

/** An identity's label and role. */
export interface Reacher {
  readonly label: string
  readonly role: string
}

/**
 * A stranger is a holder of the anon key, or a user who owns nothing. `open`: a stranger reaches all rows. `wide`: a stranger
 * reaches some rows. `usual`: another user reaches rows. `none`: the identity reaches no rows, or is the service role, which
 * always reaches all.
 */
export type Exposure = 'open' | 'wide' | 'usual' | 'none'

export function exposureOf({ label, role }: Reacher, reach: 'all' | 'part' | 'none'): Exposure {
  if (reach === 'none' || role === 'service_role') return 'none'
  const isStranger = role === 'anon' || label === NEW_USER.label
  if (!isStranger) return 'usual'
  return reach === 'all' ? 'open' : 'wide'
}

/** @param reads which rows the identity reads: `all`, `some`, or another word for none */
export function exposureOfRows(identity: Reacher, reads: string): Exposure {
  return exposureOf(identity, reads === 'all' ? 'all' : reads === 'some' ? 'part' : 'none')
}
