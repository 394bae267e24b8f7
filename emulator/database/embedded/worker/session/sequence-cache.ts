// Saves a session's values for currval() and lastval(): two static variables of PostgreSQL (sequence.c, SeqHashTable and
// last_used_seq). Each client of the Postgres port has its own values, swapped in while the client has the session.
import type { Backend } from '../backend/backend.ts'

/** The addresses of the hash table and of its entry for lastval(). An address is 0 when the table or entry does not exist. */
export interface SequenceValues {
  readonly table: number
  readonly last: number
}

export const NO_SEQUENCE_VALUES: SequenceValues = { table: 0, last: 0 }

export class SequenceCache {
  readonly #backend: Backend
  readonly #table: number
  readonly #last: number

  /** @param table, last addresses of the two variables (find-sequence-cache.ts) */
  constructor(backend: Backend, table: number, last: number) {
    this.#backend = backend
    this.#table = table
    this.#last = last
  }

  /** Whether the session has used no sequence since it was last cleaned. */
  get isEmpty(): boolean {
    return this.#backend.readWord(this.#table) === 0
  }

  /** Removes the values from the session and returns them. */
  take(): SequenceValues {
    const table = this.#backend.readWord(this.#table)
    if (table === 0) return NO_SEQUENCE_VALUES
    const values = { table, last: this.#backend.readWord(this.#last) }
    this.put(NO_SEQUENCE_VALUES)
    return values
  }

  /** Puts the values into a session that has none. */
  put({ table, last }: SequenceValues): void {
    this.#backend.writeWord(this.#table, table)
    this.#backend.writeWord(this.#last, last)
  }
}
