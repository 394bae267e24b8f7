// What the parts of a comparison share.

import type { CredentialFacts } from '../har/har.ts'
import type { Correspondence } from './correspondence.ts'
import type { TimeRules } from './time-rules.ts'

export interface Comparing {
  readonly pairs: Correspondence
  readonly times: TimeRules
  /** Epoch milliseconds of the recorded request. */
  readonly recordedNow: number
  /** Prefix of the domains of this route's ids, such as `/orders`. */
  readonly route: string
  /** Claims of a masked credential. */
  readonly claimsOf: (placeholder: string) => CredentialFacts['claims'] | undefined
  /** Replaces the addresses of the recorded platform in a text. */
  readonly moved: (text: string) => string
}

/** The place of a value: `at` for people, `member` is the nearest name of a member. */
export interface Place {
  readonly at: string
  readonly member: string
}

/** Returns the domain of a numeric id: `id` belongs to its route, `order_id` has the same meaning everywhere. */
export function idDomain(route: string, member: string): string {
  return member === 'id' ? `${route}#id` : `#${member.replace(/s$/, '')}`
}
