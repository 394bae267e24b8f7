// What those who meet faults see of the book: the armed ones, and the one step that fires.
import type { IdSource } from '../core/id-source.ts'
import type { Armed, Target } from './armed-fault.ts'

export interface Firing {
  /** Oldest first. */
  readonly armed: () => readonly Armed[]
  /** Fires the fault if it fits and chance lets it; a spent one is gone afterwards. */
  fires(fault: Armed, target: Target, requestId: string | undefined): boolean
}

const RANDOM_BYTES = 4

/** From 0 to 1, 1 excluded, of the emulator's own randomness, which a seed repeats. */
export function drawn(ids: IdSource): number {
  return Buffer.from(ids.bytes(RANDOM_BYTES)).readUInt32BE() / 2 ** (8 * RANDOM_BYTES)
}
