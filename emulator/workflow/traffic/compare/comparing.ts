// The data that all parts of a comparison use.

import type { CredentialFacts } from '../har/har.ts'
import type { Correspondence } from './correspondence.ts'
import type { TimeRules } from './time-rules.ts'

export interface Comparing {
  readonly pairs: Correspondence
  readonly times: TimeRules
  /** Epoch milliseconds of the recorded request. */
  readonly recordedNow: number
  /** Prefix for the domains of ids in this route, such as `/orders`. */
  readonly route: string
  /** Returns the claims of a masked credential. */
  readonly claimsOf: (placeholder: string) => CredentialFacts['claims'] | undefined
  /** Replaces the addresses of the recorded platform in a text. */
  readonly moved: (text: string) => string
}

/** The place of a value in an answer. `at` is for messages; `member` is the name of the nearest member around the value. */
export interface Place {
  readonly at: string
  readonly member: string
}

/**
 * Returns the domain of a numeric id. The ids in members `id` belong to the route; the ids in `order_id` are the same in all
 * routes.
 */
export function idDomain(route: string, member: string): string {
  return member === 'id' ? `${route}#id` : `#${member.replace(/s$/, '')}`
}
