// How dangerous it is that an identity reaches data: the further the identity is from the data, the stronger the colour. Audit and
// schema map have their colours from here. Pure.
import { NEW_USER } from '../../emulator/contract/choices.ts'

/** What an identity is called and which role it has. */
export interface Reacher {
  readonly label: string
  readonly role: string
}

/**
 * `open`: a stranger reaches all, that is a holder of the anon key, or a user who owns nothing. `wide`: a stranger reaches a part.
 * `usual`: a user reaches something. `none`: nothing is reached, or by the service role, which reaches all.
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
