// Records a client's open transaction so that it can be replayed. A transaction without changes is rolled back when other work
// needs the engine. The transaction is replayed with its original time when the client continues.
import type { EpochMillis } from '../../../../core/time.ts'

interface PastTurn {
  readonly messages: Uint8Array
  /** True when the turn did more than read, so that a replay must include the turn. */
  readonly isNeeded: boolean
}

export interface TurnFacts {
  readonly messages: Uint8Array
  /** True when the turn set something, began or ended a savepoint, or belongs to a pipeline that the client has not ended. */
  readonly isNeeded: boolean
  /** True when the turn changed data or anything else that a replay would not restore. */
  readonly hasChanges: boolean
}

const MAX_TURNS = 1_000
const MAX_BYTES = 256 << 10

export class OpenTransaction {
  /** SQL's `now()` in the transaction, in milliseconds since the epoch. */
  readonly startedAt: EpochMillis
  #turns: PastTurn[] = []
  #bytes = 0
  #isRepeatable = true

  constructor(startedAt: EpochMillis) {
    this.startedAt = startedAt
  }

  get isRepeatable(): boolean {
    return this.#isRepeatable
  }

  /** The messages to replay. */
  get messages(): readonly Uint8Array[] {
    return this.#turns.filter(({ isNeeded }) => isNeeded).map(({ messages }) => messages)
  }

  add({ messages, isNeeded, hasChanges }: TurnFacts): void {
    if (!this.#isRepeatable) return
    this.#turns.push({ messages, isNeeded })
    this.#bytes += messages.length
    if (!hasChanges && this.#turns.length <= MAX_TURNS && this.#bytes <= MAX_BYTES) return
    this.#isRepeatable = false
    this.#turns = []
  }
}
