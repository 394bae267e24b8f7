// PostgreSQL's advisory lock functions: their oids (pg_proc.dat, PostgreSQL 18) and the lock operation of each.
import type { LockMode, LockScope } from '../../advisory-locks/lock-table.ts'

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
