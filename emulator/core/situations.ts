// Situations that faults simulate for one request, for example a full disk or a template that cannot be cloned. The edge sets a
// situation for the duration of a request; services read it.
import { AsyncLocalStorage } from 'node:async_hooks'

/** All situations that can be simulated. */
export type Situation =
  | 'disk_full'
  | 'template_deleted'
  | 'source_out_of_sync'
  | 'clone_incomplete'
  | 'provision_fails'
  | 'purge_pending'

export interface PlayedSituations {
  /** Whether the situation is set for the current request. */
  holds(situation: string): boolean
}

export interface Situations extends PlayedSituations {
  /** Runs `work` with the situation set, including everything that `work` awaits. */
  run<Result>(situation: Situation, work: () => Result): Result
}

/** Creates the situations of one emulator. */
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

/** The implementation for emulators without simulated situations. */
export const NO_SITUATIONS: PlayedSituations = { holds: () => false }

/** Throws the operating system's error of a full disk if that situation is set. */
export function requireRoom(situations: PlayedSituations): void {
  if (!situations.holds('disk_full')) return
  const error = new Error('ENOSPC: no space left on device, write')
  throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
