// What a client did in its open transaction, as far as that can be done again: a transaction that has changed nothing is rolled
// back when others need the engine, and begun anew, at its own time, when it goes on.
import type { EpochMillis } from '../../../../core/time.ts'

interface PastTurn {
  readonly messages: Uint8Array
  /** It did more than to read. */
  readonly isNeeded: boolean
}

export interface TurnFacts {
  readonly messages: Uint8Array
  /** It set something, began or ended a savepoint, or the client has not ended its pipeline yet. */
  readonly isNeeded: boolean
  /** It changed data, or did something else that would be lost. */
  readonly hasChanges: boolean
}

const MAX_TURNS = 1_000
const MAX_BYTES = 256 << 10

export class OpenTransaction {
  /** SQL's `now()` in it, in milliseconds since the epoch. */
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

  /** Messages that make the transaction again. */
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
