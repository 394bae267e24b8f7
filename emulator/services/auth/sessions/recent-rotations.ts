// Caches the answers of recent refreshes, so that two tabs that send the same refresh token get the same answer
// (docs/wire/auth.md#refresh). When an answer is no longer cached, the caller decrypts the replacement stored in the tables.
import type { Clock } from '../../../core/clock.ts'
import { type EpochMillis, plusMillis, SECOND_MILLIS } from '../../../core/time.ts'
import { GRACE_SECONDS } from './session-statements.ts'
import type { SessionAnswer } from './sessions.ts'

/**
 * Maximum number of cached answers, about 3 KB each. The maximum limits memory while the clock is frozen, because then no
 * answer expires.
 */
const CAPACITY = 500

interface Rotation {
  readonly answer: SessionAnswer
  readonly until: EpochMillis
}

export interface RecentRotations {
  /** Runs `rotate`, or returns the result of a rotation of the same token that is already in progress. */
  once(key: string, rotate: () => Promise<SessionAnswer>): Promise<SessionAnswer>
  keep(key: string, answer: SessionAnswer): void
  recall(key: string): SessionAnswer | undefined
  /** Clears the cache after the platform's state was restored. */
  forget(): void
}

export function createRecentRotations(clock: Clock): RecentRotations {
  const underWay = new Map<string, Promise<SessionAnswer>>()
  const kept = new Map<string, Rotation>()

  function forgetOld(): void {
    const now = clock.now()
    for (const [key, { until }] of kept) {
      if (until >= now && kept.size < CAPACITY) return
      kept.delete(key)
    }
  }

  return {
    once: (key, rotate) => {
      const running = underWay.get(key)
      if (running !== undefined) return running
      const started = rotate().finally(() => underWay.delete(key))
      underWay.set(key, started)
      return started
    },
    keep: (key, answer) => {
      forgetOld()
      kept.set(key, { answer, until: plusMillis(clock.now(), GRACE_SECONDS * SECOND_MILLIS) })
    },
    recall: (key) => kept.get(key)?.answer,
    forget: () => kept.clear(),
  }
}
