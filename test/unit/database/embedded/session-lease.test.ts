import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { EngineHold } from '../../../../emulator/database/embedded/queue/session-lease.ts'

const WAITED_FOR = { isIdle: true, someoneWaits: true }
const ALONE = { isIdle: true, someoneWaits: false }
const AT_WORK = { isIdle: false, someoneWaits: true }

describe('EngineHold', () => {
  let clock: ManualClock
  let ends: string[]
  let hold: EngineHold
  beforeEach(() => {
    clock = new ManualClock(epochMillis(0))
    ends = []
    hold = new EngineHold(1, clock, (why) => ends.push(why))
  })

  it('lasts as long as nobody waits', () => {
    hold.look(ALONE)
    clock.advance(3_600_000)
    hold.look(ALONE)
    expect(ends).toEqual([])
  })

  it('ends ten seconds after somebody began to wait for a client that does nothing', () => {
    clock.advance(60_000)
    hold.look(WAITED_FOR)
    clock.advance(9_999)
    expect(ends).toEqual([])
    clock.advance(1)
    expect(ends).toEqual(['idleInTransaction'])
  })

  it('starts to count anew when the client does something', () => {
    hold.look(WAITED_FOR)
    clock.advance(9_000)
    hold.look(AT_WORK)
    hold.look(WAITED_FOR)
    clock.advance(9_000)
    expect(ends).toEqual([])
  })

  it('ends after two minutes of work for which others wait', () => {
    clock.advance(120_000)
    hold.look(AT_WORK)
    expect(ends).toEqual(['transactionTooLong'])
  })

  it('tells nothing once it is over', () => {
    hold.look(WAITED_FOR)
    hold.end()
    clock.advance(200_000)
    expect(ends).toEqual([])
  })
})
