// The armed faults and the one step that fires them, as meet-request.ts and meet-socket.ts see the book.
import type { IdSource } from '../core/id-source.ts'
import type { Armed, Target } from './armed-fault.ts'

export interface Firing {
  /** Oldest first. */
  readonly armed: () => readonly Armed[]
  /** Fires the fault if it fits and its probability allows it. A spent fault is disarmed. */
  fires(fault: Armed, target: Target, requestId: string | undefined): boolean
}

const RANDOM_BYTES = 4

/** A number from 0 to 1, 1 excluded. A seed repeats it. */
export function drawn(ids: IdSource): number {
  return Buffer.from(ids.bytes(RANDOM_BYTES)).readUInt32BE() / 2 ** (8 * RANDOM_BYTES)
}
