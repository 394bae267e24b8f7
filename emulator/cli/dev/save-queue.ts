// Applies saves one after the other. Saves that arrive meanwhile are applied together, after it.
import type { FollowReport } from '../../contract/fixtures.ts'
import type { Clock } from '../../core/clock.ts'
import type { EpochMillis } from '../../core/time.ts'
import type { Consent } from '../../workflow/fixtures/follow/consent.ts'

export interface SaveQueue {
  /** Nothing is applied before this call. */
  start(): void
  /** @param at wall time of the save */
  add(at: EpochMillis): void
  /** Applies the folder once more, with these losses allowed. @throws the failure of applying it */
  rebuild(consent: Consent): Promise<FollowReport>
}

export interface SaveQueueOptions {
  readonly wallClock: Clock
  /** @param at wall time of the first save */
  readonly apply: (consent: Consent, at: EpochMillis) => Promise<FollowReport>
  readonly onFailure: (error: unknown) => void
}

interface Rebuild {
  readonly consent: Consent
  readonly resolve: (report: FollowReport) => void
  readonly reject: (error: unknown) => void
}

export function createSaveQueue({ apply, onFailure, wallClock }: SaveQueueOptions): SaveQueue {
  const rebuilds: Rebuild[] = []
  let savedAt: EpochMillis | undefined
  let isBusy = true

  async function applySave(at: EpochMillis): Promise<void> {
    const answered = rebuilds.splice(0)
    try {
      const report = await apply(answered[0]?.consent ?? 'none', at)
      for (const { resolve } of answered) resolve(report)
    } catch (error) {
      onFailure(error)
      for (const { reject } of answered) reject(error)
    }
  }
  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    while (savedAt !== undefined) {
      const at = savedAt
      savedAt = undefined
      await applySave(at)
    }
    isBusy = false
  }
  function add(at: EpochMillis): void {
    savedAt ??= at
    void work()
  }
  return {
    add,
    rebuild: (consent) => {
      const { promise, reject, resolve } = Promise.withResolvers<FollowReport>()
      rebuilds.push({ consent, resolve, reject })
      add(wallClock.now())
      return promise
    },
    start: () => {
      isBusy = false
      void work()
    },
  }
}
