// Situations that faults simulate for one request, for example a full disk or a template that cannot be cloned. Callers set a
// situation for the duration of a request; services read it.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Every situation that can be simulated for one request. */
export type Situation =
  | 'disk_full'
  | 'template_deleted'
  | 'source_out_of_sync'
  | 'clone_incomplete'
  | 'provision_fails'
  | 'purge_pending'

export interface PlayedSituations {
  /** Whether the situation is set for the present request. */
  holds(situation: string): boolean
}

export interface Situations extends PlayedSituations {
  /** Runs `work`, and everything that it awaits, in the situation. */
  run<Result>(situation: Situation, work: () => Result): Result
}

/** Each emulator has its own. */
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

/** Sets no situation. */
export const NO_SITUATIONS: PlayedSituations = { holds: () => false }

/** The operating system's error of a full disk, if that situation is set. */
export function requireRoom(situations: PlayedSituations): void {
  if (!situations.holds('disk_full')) return
  const error = new Error('ENOSPC: no space left on device, write')
  throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
