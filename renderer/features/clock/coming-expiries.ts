// The expiries that are still to come when the clock screen is drawn. The list is loaded every few seconds, so some of its
// entries can have expired since. Pure.
import type { Expiry, ExpiryList } from '../../../emulator/contract/clock.ts'
import { parseInstant } from '../../api/time.ts'

export interface Coming extends Expiry {
  /** Platform milliseconds until the expiry. */
  readonly inMillis: number
}

export interface ComingExpiries {
  /** Soonest first. */
  readonly coming: readonly Coming[]
  /** Number of coming expiries, including those that the loaded list omits. */
  readonly total: number
}

/** @param now platform milliseconds since 1970 */
export function comingFrom(
  { expiries, total }: Pick<ExpiryList, 'expiries' | 'total'>,
  now: number,
): ComingExpiries {
  const coming = expiries
    .map((expiry) => ({ ...expiry, inMillis: (parseInstant(expiry.at) ?? now) - now }))
    .filter(({ inMillis }) => inMillis > 0)
  return { coming, total: total - (expiries.length - coming.length) }
}
