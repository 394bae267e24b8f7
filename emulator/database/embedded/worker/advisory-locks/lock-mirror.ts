// Shows a project's advisory locks in the view pg_locks. While the view copies PostgreSQL's own lock table, the locks are taken
// there. All locks appear as locks of the one backend. Waiting sessions do not appear.
import type { HeldLock, LockMode } from '../../advisory-locks/lock-table.ts'
import type { Backend } from '../backend/backend.ts'
import type { Routine, RoutineTable } from '../backend/routine-table.ts'
import { UNLOCK_ALL } from './advisory-routines.ts'

// Oids in pg_proc.dat of pg_advisory_lock and pg_advisory_lock_shared, with one key and with two.
const ONE_KEY: Readonly<Record<LockMode, number>> = { exclusive: 2880, shared: 2881 }
const TWO_KEYS: Readonly<Record<LockMode, number>> = { exclusive: 2886, shared: 2887 }
const BIGINT_BYTES = 8

export class LockMirror {
  readonly #backend: Backend
  readonly #routines: RoutineTable
  readonly #originals: ReadonlyMap<number, Routine>

  /** Create the mirror before PostgreSQL's lock functions are replaced. */
  constructor(backend: Backend, routines: RoutineTable) {
    this.#backend = backend
    this.#routines = routines
    const oids = [...Object.values(ONE_KEY), ...Object.values(TWO_KEYS), UNLOCK_ALL]
    this.#originals = new Map(oids.map((oid) => [oid, routines.find(oid)]))
  }

  show(locks: readonly HeldLock[], copy: () => number): number {
    for (const lock of locks) this.#take(lock)
    const result = copy()
    if (locks.length > 0) this.#call(UNLOCK_ALL, [])
    return result
  }

  #take({ key, mode }: HeldLock): void {
    if (key.words === 2) {
      this.#call(TWO_KEYS[mode], [key.high, key.low])
      return
    }
    const address = this.#backend.module._malloc(BIGINT_BYTES)
    this.#backend.writeWord(address, key.low)
    this.#backend.writeWord(address + 4, key.high)
    this.#call(ONE_KEY[mode], [address])
    this.#backend.module._free(address)
  }

  #call(oid: number, words: readonly number[]): void {
    const routine = this.#originals.get(oid)
    if (routine !== undefined) this.#routines.call(routine, words)
  }
}
