// Changes of a session's locks happen only once, even if its statement runs several times before the last lock is granted.
import { beforeEach, describe, expect, it } from 'vitest'
import { LockSession } from '../../../../emulator/database/embedded/advisory-locks/lock-session.ts'
import { LockTable } from '../../../../emulator/database/embedded/advisory-locks/lock-table.ts'

let table: LockTable
let granted: number[]
let mine: LockSession
let other: LockSession

beforeEach(() => {
  table = new LockTable()
  granted = []
  const open = (ticket: number) =>
    new LockSession('proj_a', ticket, table, (each) => granted.push(each))
  mine = open(1)
  other = open(2)
})

const request = (low: number, level = 0) =>
  ({
    key: { project: 'proj_a', high: 0, low, words: 1 },
    mode: 'exclusive',
    scope: level === 0 ? 'session' : 'transaction',
    level,
  }) as const
const lock = (session: LockSession, low: number, { mayWait = true, level = 0 } = {}) =>
  session.perform({ kind: 'lock', request: request(low, level), waits: true }, mayWait)
const tryLock = (session: LockSession, low: number) =>
  session.perform({ kind: 'lock', request: request(low), waits: false }, true)
const unlock = (session: LockSession, low: number) =>
  session.perform({ kind: 'unlock', request: request(low) }, true)
const DONE = { kind: 'done', value: true }
const REFUSED = { kind: 'done', value: false }

describe('a session that waited', () => {
  it('holds each lock once after its statement runs again', () => {
    lock(other, 2)
    mine.finish()
    expect(lock(mine, 1)).toEqual(DONE)
    expect(lock(mine, 2)).toEqual({ kind: 'wait' })
    unlock(other, 2)
    expect(granted).toEqual([1])
    mine.again()
    expect([lock(mine, 1), lock(mine, 2)]).toEqual([DONE, DONE])
    mine.finish()
    expect([unlock(mine, 1), unlock(mine, 1)]).toEqual([DONE, REFUSED])
    expect([unlock(mine, 2), unlock(mine, 2)]).toEqual([DONE, REFUSED])
  })

  it('releases a lock only once, and repeats the result of a try-lock, when its statement runs again', () => {
    lock(mine, 1)
    mine.finish()
    lock(other, 2)
    lock(other, 3)
    other.finish()
    mine.finish()
    expect([unlock(mine, 1), tryLock(mine, 3)]).toEqual([DONE, REFUSED])
    expect(lock(mine, 2)).toEqual({ kind: 'wait' })
    expect(lock(other, 1)).toEqual(DONE)
    other.releaseSession()
    mine.again()
    expect([unlock(mine, 1), tryLock(mine, 3), lock(mine, 2)]).toEqual([DONE, REFUSED, DONE])
  })

  it('releases locks that its statement does not request when it runs again', () => {
    lock(other, 2)
    mine.finish()
    lock(mine, 1)
    lock(mine, 2)
    unlock(other, 2)
    mine.again()
    expect(lock(mine, 3)).toEqual(DONE)
    mine.finish()
    expect([tryLock(other, 1), tryLock(other, 2), tryLock(other, 3)]).toEqual([DONE, DONE, REFUSED])
  })

  it('fails with the given error, unless the lock was granted meanwhile', () => {
    const end = { sqlState: '55P03', message: 'canceling statement due to lock timeout' }
    lock(other, 1)
    mine.finish()
    lock(mine, 1)
    mine.again(end)
    expect(lock(mine, 1)).toEqual({ kind: 'failed', failure: end })
    mine.finish()
    mine.finish()
    lock(mine, 1)
    unlock(other, 1)
    mine.again(end)
    expect(lock(mine, 1)).toEqual(DONE)
  })

  it.each([true, false])(
    'releases all its locks when its statement is not run again (%s)',
    (isGranted) => {
      lock(other, 2)
      mine.finish()
      lock(mine, 1)
      lock(mine, 2)
      if (isGranted) unlock(other, 2)
      mine.finish()
      unlock(other, 2)
      expect([tryLock(other, 1), tryLock(other, 2)]).toEqual([DONE, DONE])
    },
  )

  it('takes a lock again that a rollback to a savepoint released', () => {
    lock(other, 2)
    mine.finish()
    lock(mine, 1, { level: 2 })
    mine.rollBackTo(2)
    lock(mine, 2)
    unlock(other, 2)
    mine.again()
    expect(lock(mine, 1, { level: 2 })).toEqual(DONE)
    expect(tryLock(other, 1)).toEqual(REFUSED)
  })
})

describe('a session that may not wait', () => {
  it('fails with 55P03 and leaves the queue', () => {
    lock(other, 1)
    expect(lock(mine, 1, { mayWait: false })).toMatchObject({
      kind: 'failed',
      failure: { sqlState: '55P03' },
    })
    expect(mine.isWaiting).toBe(false)
    unlock(other, 1)
    expect(granted).toEqual([])
  })
})
