// Which session gets an advisory lock, in which order, and when the lock ends (PostgreSQL documentation, "Advisory Locks").
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LockMode,
  type LockOwner,
  type LockRequest,
  LockTable,
  MAX_KEYS,
} from '../../../../emulator/database/embedded/advisory-locks/lock-table.ts'

interface TestOwner extends LockOwner {
  readonly granted: LockRequest[]
}

function owner(project = 'proj_a'): TestOwner {
  const granted: LockRequest[] = []
  return { project, granted, onGranted: (request) => granted.push(request) }
}

function request(low: number, mode: LockMode = 'exclusive', level = 0, project = 'proj_a') {
  const scope = level === 0 ? 'session' : 'transaction'
  return { key: { project, high: 0, low, words: 1 }, mode, scope, level } as const
}

describe('a lock table', () => {
  it('grants waiters in order, and shared locks together', () => {
    const table = new LockTable()
    const [holder, first, second, third, last] = Array.from({ length: 5 }, () => owner())
    if (!(holder && first && second && third && last)) throw new Error('five owners')
    table.acquire(holder, request(1))
    for (const [each, mode] of [
      [first, 'shared'],
      [second, 'shared'],
      [third, 'exclusive'],
      [last, 'shared'],
    ] as const) {
      expect(table.acquire(each, request(1, mode))).toBe('busy')
      expect(table.wait(each, request(1, mode))).toBe('waiting')
    }
    table.release(holder, request(1))
    expect([first, second, third, last].map(({ granted }) => granted.length)).toEqual([1, 1, 0, 0])
    table.end(first)
    table.end(second)
    expect([third, last].map(({ granted }) => granted.length)).toEqual([1, 0])
    table.end(third)
    expect(last.granted).toHaveLength(1)
  })

  it('makes a new session wait behind earlier sessions, and lets a holder lock again', () => {
    const table = new LockTable()
    const [holder, waiter, late] = [owner(), owner(), owner()]
    table.acquire(holder, request(1, 'shared'))
    table.wait(waiter, request(1))
    expect(table.acquire(late, request(1, 'shared'))).toBe('busy')
    expect(table.acquire(holder, request(1, 'shared'))).toBe('granted')
    expect(table.acquire(holder, request(1))).toBe('granted')
  })

  it('finds a deadlock of any length, including two shared holders that both want an exclusive lock', () => {
    const table = new LockTable()
    const owners = [owner(), owner(), owner()]
    owners.forEach((each, index) => {
      table.acquire(each, request(index))
    })
    const outcomes = owners.map((each, index) => table.wait(each, request((index + 1) % 3)))
    expect(outcomes).toEqual(['waiting', 'waiting', 'deadlock'])
    const other = new LockTable()
    const [one, two] = [owner(), owner()]
    other.acquire(one, request(1, 'shared'))
    other.acquire(two, request(1, 'shared'))
    expect(other.wait(one, request(1))).toBe('waiting')
    expect(other.wait(two, request(1))).toBe('deadlock')
    other.end(two)
    expect(one.granted).toHaveLength(1)
  })

  it('releases the locks of a savepoint at its rollback, and keeps them at its release', () => {
    const table = new LockTable()
    const [mine, other] = [owner(), owner()]
    for (const [low, level] of [
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const)
      table.acquire(mine, request(low, 'exclusive', level))
    table.mergeInto(mine, 2)
    table.rollBackTo(mine, 2)
    const outcomes = [1, 2, 3].map((low) => table.acquire(other, request(low)))
    expect(outcomes).toEqual(['busy', 'granted', 'granted'])
  })

  it('limits the keys of a project, and still grants keys to other projects', () => {
    const table = new LockTable()
    const [mine, foreign] = [owner(), owner('proj_b')]
    for (let low = 0; low < MAX_KEYS; low++) table.acquire(mine, request(low))
    expect(table.acquire(mine, request(MAX_KEYS))).toBe('full')
    expect(table.acquire(mine, request(1))).toBe('granted')
    expect(table.acquire(foreign, request(1, 'exclusive', 0, 'proj_b'))).toBe('granted')
    table.releaseAll(mine, 'session')
    expect(table.held('proj_a', 10)).toEqual([])
  })

  it('never grants conflicting locks to two sessions, and grants a waiter once the lock is free', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 60 }), (steps) => {
        const table = new LockTable()
        const owners = [owner(), owner(), owner(), owner()]
        const waiting = new Map<TestOwner, LockRequest>()
        for (const step of steps) {
          play(table, owners[step.who] ?? owner(), waiting, step)
          for (const other of owners) if (other.granted.splice(0).length > 0) waiting.delete(other)
          for (const key of [0, 1, 2]) expectConsistent(table, owners, key, waiting)
        }
        for (const each of owners) table.end(each)
        expect(table.held('proj_a', 10)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

const STEP = fc.record({
  who: fc.nat(3),
  low: fc.nat(2),
  mode: fc.constantFrom<LockMode>('exclusive', 'shared'),
  act: fc.constantFrom('acquire', 'release', 'endTransaction', 'stop', 'end'),
  level: fc.nat(2),
})
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

// Applies a random step. A session that waits can only stop waiting, or end.
function play(
  table: LockTable,
  each: TestOwner,
  waiting: Map<TestOwner, LockRequest>,
  { act, low, mode, level }: Step,
): void {
  const asked = request(low, mode, level)
  if (act === 'stop' || act === 'end') {
    if (act === 'stop') table.stopWaiting(each)
    else table.end(each)
    waiting.delete(each)
  } else if (waiting.has(each)) return
  else if (act === 'release') table.release(each, asked)
  else if (act === 'endTransaction') table.releaseAll(each, 'transaction')
  else if (table.acquire(each, asked) === 'busy' && table.wait(each, asked) === 'waiting')
    waiting.set(each, asked)
}

function expectConsistent(
  table: LockTable,
  owners: readonly TestOwner[],
  low: number,
  waiting: ReadonlyMap<TestOwner, LockRequest>,
): void {
  const holds = (each: TestOwner, mode: LockMode) =>
    [0, 1, 2].some((level) => table.holds(each, request(low, mode, level)))
  const exclusive = owners.filter((each) => holds(each, 'exclusive'))
  const any = owners.filter((each) => holds(each, 'exclusive') || holds(each, 'shared'))
  if (exclusive.length > 0) expect(any).toEqual(exclusive.slice(0, 1))
  const waits = [...waiting.values()].some(({ key }) => key.low === low)
  if (waits) expect(any.length).toBeGreaterThan(0)
}
