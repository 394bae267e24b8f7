// Advisory locks of all sessions: holders and waiters of each key, and the order of grants (PostgreSQL documentation, "Advisory
// Locks"; src/backend/storage/lmgr/README). The embedded engine needs its own table, because its one backend cannot distinguish
// sessions. Pure.

export type LockMode = 'exclusive' | 'shared'
/** Whether a lock lasts until the end of its session or until the end of its transaction. */
export type LockScope = 'session' | 'transaction'

export interface LockKey {
  /** Projects have separate keys. */
  readonly project: string
  /** The upper half of a bigint key, or the first of two integers, as an unsigned 32-bit number. */
  readonly high: number
  readonly low: number
  /** Number of arguments of the key. Keys with one and with two arguments never conflict. */
  readonly words: 1 | 2
}

export interface LockRequest {
  readonly key: LockKey
  readonly mode: LockMode
  readonly scope: LockScope
  /** The depth of savepoints: 1 in a transaction without any, 0 for session locks. */
  readonly level: number
}

/** A session in the lock table. Compared by identity. */
export interface LockOwner {
  readonly project: string
  /** Called when the owner gets the lock that it waits for. */
  onGranted(request: LockRequest): void
}

/** Counts of one owner's locks on one key, by mode and level. */
type Holding = Readonly<Record<LockMode, Map<number, number>>>

interface Waiter {
  readonly owner: LockOwner
  readonly request: LockRequest
}

interface Lock {
  readonly key: LockKey
  readonly holders: Map<LockOwner, Holding>
  readonly waiters: Waiter[]
}

export interface HeldLock {
  readonly key: LockKey
  readonly mode: LockMode
}

/** Limit of locked keys per project. PostgreSQL limits its own lock table, too. */
export const MAX_KEYS = 10_000

export class LockTable {
  readonly #projects = new Map<string, Map<string, Lock>>()
  readonly #waits = new Map<LockOwner, Lock>()
  readonly #held = new Map<LockOwner, Set<Lock>>()

  /** Takes the lock if it is free for `owner`. */
  acquire(owner: LockOwner, request: LockRequest): 'granted' | 'busy' | 'full' {
    const lock = this.#lock(request.key)
    if (lock === undefined) return 'full'
    const { mode } = request
    const holding = lock.holders.get(owner)
    // A session that holds a lock on the key overtakes the waiters (proc.c, JoinWaitQueue).
    const isBehind =
      holding === undefined && lock.waiters.some((waiter) => conflicts(waiter.request.mode, mode))
    if (!holdsMode(holding, mode) && (isBehind || blockers(lock, owner, mode).length > 0))
      return 'busy'
    this.#hold(lock, owner, request)
    return 'granted'
  }

  /** Puts `owner` into the lock's queue, unless its wait would be a deadlock. */
  wait(owner: LockOwner, request: LockRequest): 'waiting' | 'deadlock' {
    const lock = this.#lock(request.key)
    if (lock === undefined) return 'deadlock'
    const waiter = { owner, request }
    const { waiters } = lock
    const isHolder = lock.holders.has(owner)
    const place = isHolder
      ? waiters.findIndex((other) => !lock.holders.has(other.owner))
      : waiters.length
    waiters.splice(place < 0 ? waiters.length : place, 0, waiter)
    this.#waits.set(owner, lock)
    if (!this.#isInCycle(owner)) return 'waiting'
    this.stopWaiting(owner)
    return 'deadlock'
  }

  stopWaiting(owner: LockOwner): void {
    const lock = this.#waits.get(owner)
    if (lock === undefined) return
    this.#waits.delete(owner)
    const place = lock.waiters.findIndex((waiter) => waiter.owner === owner)
    if (place >= 0) lock.waiters.splice(place, 1)
    this.#wake(lock)
  }

  /** Releases one acquisition of a lock. Returns false when the owner does not hold the lock. */
  release(owner: LockOwner, { key, mode, level }: LockRequest): boolean {
    const lock = this.#find(key)
    const levels = lock?.holders.get(owner)?.[mode]
    const count = levels?.get(level)
    if (lock === undefined || levels === undefined || count === undefined) return false
    if (count > 1) levels.set(level, count - 1)
    else levels.delete(level)
    this.#settle(lock, owner)
    return true
  }

  holds(owner: LockOwner, { key, mode, level }: LockRequest): boolean {
    return this.#find(key)?.holders.get(owner)?.[mode].has(level) === true
  }

  releaseAll(owner: LockOwner, scope: LockScope): void {
    this.#change(owner, (levels) => {
      for (const level of [...levels.keys()])
        if ((level === 0) === (scope === 'session')) levels.delete(level)
    })
  }

  /** Releases the locks of a savepoint that was rolled back, or of a block whose exception was caught. */
  rollBackTo(owner: LockOwner, level: number): void {
    this.#change(owner, (levels) => {
      for (const each of [...levels.keys()]) if (each >= level) levels.delete(each)
    })
  }

  /** Moves the locks of a released savepoint to its parent. */
  mergeInto(owner: LockOwner, parent: number): void {
    this.#change(owner, (levels) => {
      for (const [level, count] of [...levels]) {
        if (level <= parent) continue
        levels.delete(level)
        levels.set(parent, (levels.get(parent) ?? 0) + count)
      }
    })
  }

  hasTransactionLocks(owner: LockOwner): boolean {
    return this.#locksOf(owner).some((lock) => {
      const holding = lock.holders.get(owner)
      return MODES.some((mode) => [...(holding?.[mode].keys() ?? [])].some((level) => level > 0))
    })
  }

  /** Releases all locks of an owner that has ended, and ends its wait. */
  end(owner: LockOwner): void {
    this.stopWaiting(owner)
    this.#change(owner, (levels) => levels.clear())
  }

  /** Lists the locks that sessions of a project hold, at most `limit`. */
  held(project: string, limit: number): readonly HeldLock[] {
    const found: HeldLock[] = []
    for (const { key, holders } of this.#projects.get(project)?.values() ?? []) {
      for (const mode of MODES)
        if ([...holders.values()].some((holding) => holdsMode(holding, mode)))
          found.push({ key, mode })
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  #find(key: LockKey): Lock | undefined {
    return this.#projects.get(key.project)?.get(nameOf(key))
  }

  #lock(key: LockKey): Lock | undefined {
    const locks = this.#projects.get(key.project) ?? new Map<string, Lock>()
    const name = nameOf(key)
    const found = locks.get(name)
    if (found !== undefined) return found
    if (locks.size >= MAX_KEYS) return undefined
    const lock: Lock = { key, holders: new Map(), waiters: [] }
    this.#projects.set(key.project, locks)
    locks.set(name, lock)
    return lock
  }

  #locksOf(owner: LockOwner): readonly Lock[] {
    return [...(this.#held.get(owner) ?? [])]
  }

  #hold(lock: Lock, owner: LockOwner, { mode, level }: LockRequest): void {
    const holding = lock.holders.get(owner) ?? { exclusive: new Map(), shared: new Map() }
    lock.holders.set(owner, holding)
    holding[mode].set(level, (holding[mode].get(level) ?? 0) + 1)
    const held = this.#held.get(owner) ?? new Set()
    this.#held.set(owner, held.add(lock))
  }

  #change(owner: LockOwner, change: (levels: Map<number, number>) => void): void {
    for (const lock of this.#locksOf(owner)) {
      const holding = lock.holders.get(owner)
      if (holding === undefined) continue
      for (const mode of MODES) change(holding[mode])
      this.#settle(lock, owner)
    }
  }

  #settle(lock: Lock, owner: LockOwner): void {
    const holding = lock.holders.get(owner)
    if (holding !== undefined && MODES.every((mode) => holding[mode].size === 0)) {
      lock.holders.delete(owner)
      const held = this.#held.get(owner)
      held?.delete(lock)
      if (held?.size === 0) this.#held.delete(owner)
    }
    this.#wake(lock)
    const locks = this.#projects.get(lock.key.project)
    if (lock.holders.size > 0 || lock.waiters.length > 0 || locks === undefined) return
    locks.delete(nameOf(lock.key))
    if (locks.size === 0) this.#projects.delete(lock.key.project)
  }

  // Grants the lock in the queue's order. A waiter stays behind an earlier waiter that it conflicts with (proc.c,
  // ProcLockWakeup).
  #wake(lock: Lock): void {
    const ahead: LockMode[] = []
    for (const waiter of [...lock.waiters]) {
      const { owner, request } = waiter
      const isBlocked =
        ahead.some((mode) => conflicts(mode, request.mode)) ||
        blockers(lock, owner, request.mode).length > 0
      if (isBlocked) {
        ahead.push(request.mode)
        continue
      }
      lock.waiters.splice(lock.waiters.indexOf(waiter), 1)
      this.#waits.delete(owner)
      this.#hold(lock, owner, request)
      owner.onGranted(request)
    }
  }

  #isInCycle(start: LockOwner): boolean {
    const seen = new Set<LockOwner>()
    const next = [...this.#blockersOf(start)]
    for (let owner = next.pop(); owner !== undefined; owner = next.pop()) {
      if (owner === start) return true
      if (seen.has(owner)) continue
      seen.add(owner)
      next.push(...this.#blockersOf(owner))
    }
    return false
  }

  // The owners that `owner` must wait for: holders of the lock, and conflicting waiters ahead in the queue.
  #blockersOf(owner: LockOwner): LockOwner[] {
    const lock = this.#waits.get(owner)
    if (lock === undefined) return []
    const place = lock.waiters.findIndex((waiter) => waiter.owner === owner)
    const mode = lock.waiters[place]?.request.mode ?? 'exclusive'
    const before = lock.waiters
      .slice(0, place)
      .filter((waiter) => conflicts(waiter.request.mode, mode))
    return [...blockers(lock, owner, mode), ...before.map((waiter) => waiter.owner)]
  }
}

const MODES: readonly LockMode[] = ['exclusive', 'shared']

function conflicts(one: LockMode, other: LockMode): boolean {
  return one === 'exclusive' || other === 'exclusive'
}

function holdsMode(holding: Holding | undefined, mode: LockMode): boolean {
  return holding !== undefined && holding[mode].size > 0
}

function blockers(lock: Lock, owner: LockOwner, mode: LockMode): LockOwner[] {
  const found: LockOwner[] = []
  for (const [other, holding] of lock.holders) {
    const isConflict = MODES.some((held) => conflicts(held, mode) && holdsMode(holding, held))
    if (other !== owner && isConflict) found.push(other)
  }
  return found
}

function nameOf({ high, low, words }: LockKey): string {
  return `${words} ${high} ${low}`
}
