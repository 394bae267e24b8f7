// Situations that hold for the work of one request and nobody else's, however many run at once: a full disk, a template
// that cannot be cloned. Who plays one runs the work; who has to heed one asks.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Every situation that can be played for one request. */
export type Situation =
  | 'disk_full'
  | 'template_deleted'
  | 'source_out_of_sync'
  | 'clone_incomplete'
  | 'provision_fails'
  | 'purge_pending'

export interface PlayedSituations {
  /** Whether the work that asks was told to meet this situation. */
  holds(situation: string): boolean
}

export interface Situations extends PlayedSituations {
  /** Does `work`, and all it awaits, in the situation. */
  run<Result>(situation: Situation, work: () => Result): Result
}

/** One per emulator: two of them share nothing. */
export function createSituations(): Situations {
  const played = new AsyncLocalStorage<Situation>()
  let hasPlayed = false
  return {
    holds: (situation) => hasPlayed && played.getStore() === situation,
    run: (situation, work) => {
      hasPlayed = true
      return played.run(situation, work)
    },
  }
}

/** For whoever has none. */
export const NO_SITUATIONS: PlayedSituations = { holds: () => false }

/** What the operating system says of a disk without room, when the work that asks has met one. */
export function requireRoom(situations: PlayedSituations): void {
  if (!situations.holds('disk_full')) return
  const error = new Error('ENOSPC: no space left on device, write')
  throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
