// Rotations of the last moments: two tabs that present one refresh token get the very same answer (docs/wire/auth.md#refresh). What
// is forgotten here is unsealed from the tables.
import type { Clock } from '../../core/clock.ts'
import { type EpochMillis, plusMillis, SECOND_MILLIS } from '../../core/time.ts'
import { GRACE_SECONDS } from './session-statements.ts'
import type { SessionAnswer } from './sessions.ts'

/** An answer is about 3 KB; with a frozen clock none grows old. */
const CAPACITY = 500

interface Rotation {
  readonly answer: SessionAnswer
  readonly until: EpochMillis
}

export interface RecentRotations {
  /** Runs `rotate`, unless a rotation of the same token is under way: then its outcome serves both. */
  once(key: string, rotate: () => Promise<SessionAnswer>): Promise<SessionAnswer>
  keep(key: string, answer: SessionAnswer): void
  recall(key: string): SessionAnswer | undefined
  /** The sessions may be others now. */
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
