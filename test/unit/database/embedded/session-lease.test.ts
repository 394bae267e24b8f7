import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { SessionLease } from '../../../../emulator/database/embedded/queue/session-lease.ts'

const WAITED_FOR = { isIdle: true, othersWait: true }
const ALONE = { isIdle: true, othersWait: false }
const AT_WORK = { isIdle: false, othersWait: true }

describe('SessionLease', () => {
  let clock: ManualClock
  let ends: string[]
  let reports: number[]
  let lease: SessionLease
  beforeEach(() => {
    clock = new ManualClock(epochMillis(0))
    ends = []
    reports = []
    lease = new SessionLease(1, clock, {
      onExpired: (why) => ends.push(why),
      onHeld: (since) => reports.push(since),
    })
  })

  it('has no limit while no other job waits', () => {
    lease.updateLimit(ALONE)
    clock.advance(3_600_000)
    lease.updateLimit(ALONE)
    expect(ends).toEqual([])
  })

  it('ends after ten seconds in which a job waits for an idle client', () => {
    clock.advance(60_000)
    lease.updateLimit(WAITED_FOR)
    clock.advance(9_999)
    expect(ends).toEqual([])
    clock.advance(1)
    expect(ends).toEqual(['idleInTransaction'])
  })

  it('starts the idle limit again when the client sends something', () => {
    lease.updateLimit(WAITED_FOR)
    clock.advance(9_000)
    lease.updateLimit(AT_WORK)
    lease.updateLimit(WAITED_FOR)
    clock.advance(9_000)
    expect(ends).toEqual([])
  })

  it('reports every second until its end that a job waits for an idle client', () => {
    clock.advance(60_000)
    lease.updateLimit(WAITED_FOR)
    clock.advance(999)
    expect(reports).toEqual([])
    clock.advance(20_000)
    expect(reports).toEqual(new Array(9).fill(0))
  })

  it('ends a transaction after two minutes when other jobs wait', () => {
    clock.advance(120_000)
    lease.updateLimit(AT_WORK)
    expect(ends).toEqual(['transactionTooLong'])
  })

  it('does not expire again after its end', () => {
    lease.updateLimit(WAITED_FOR)
    lease.end()
    clock.advance(200_000)
    expect(ends).toEqual([])
  })
})
