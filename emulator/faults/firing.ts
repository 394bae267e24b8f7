// The part of the fault book that meet-request.ts and meet-socket.ts use: it lists the armed faults and fires one of them.
import type { IdSource } from '../core/id-source.ts'
import type { Armed, Target } from './armed-fault.ts'

export interface Firing {
  /** Oldest first. */
  readonly armed: () => readonly Armed[]
  /** Fires the fault if the target is in its scope and its probability allows it. Disarms it after its last firing. */
  fires(fault: Armed, target: Target, requestId: string | undefined): boolean
}

const RANDOM_BYTES = 4

/** Returns a random number from 0 to 1, excluding 1. The same seed gives the same numbers. */
export function drawn(ids: IdSource): number {
  return Buffer.from(ids.bytes(RANDOM_BYTES)).readUInt32BE() / 2 ** (8 * RANDOM_BYTES)
}
