// The oids of PostgreSQL's advisory lock functions, and a mirror that shows a project's advisory locks in the view pg_locks. The
// mirror takes the locks in PostgreSQL's own lock table while the view copies that table. All locks appear as locks of the one
// backend. Waiting sessions do not appear.
import type { HeldLock, LockMode, LockScope } from '../../advisory-locks/lock-table.ts'
import type { Backend } from '../backend/backend.ts'
import type { Routine, RoutineTable } from '../backend/routine-table.ts'

/** The function's oids: with one bigint key, and with two integer keys. */
export const LOCK_ROUTINES: readonly {
  readonly oids: readonly [one: number, two: number]
  readonly mode: LockMode
  readonly scope: LockScope
  readonly waits: boolean
}[] = [
  { oids: [2880, 2886], mode: 'exclusive', scope: 'session', waits: true },
  { oids: [3089, 3093], mode: 'exclusive', scope: 'transaction', waits: true },
  { oids: [2881, 2887], mode: 'shared', scope: 'session', waits: true },
  { oids: [3090, 3094], mode: 'shared', scope: 'transaction', waits: true },
  { oids: [2882, 2888], mode: 'exclusive', scope: 'session', waits: false },
  { oids: [3091, 3095], mode: 'exclusive', scope: 'transaction', waits: false },
  { oids: [2883, 2889], mode: 'shared', scope: 'session', waits: false },
  { oids: [3092, 3096], mode: 'shared', scope: 'transaction', waits: false },
]
export const UNLOCK_ROUTINES: readonly {
  readonly oids: readonly [one: number, two: number]
  readonly mode: LockMode
}[] = [
  { oids: [2884, 2890], mode: 'exclusive' },
  { oids: [2885, 2891], mode: 'shared' },
]
export const UNLOCK_ALL = 2892

// Oids of pg_advisory_lock and pg_advisory_lock_shared in pg_proc.dat, for one key and for two keys.
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
