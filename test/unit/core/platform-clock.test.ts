import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { PlatformClock, type PlatformTime } from '../../../emulator/core/platform-clock.ts'
import { DAY_MILLIS, epochMillis } from '../../../emulator/core/time.ts'

function clocks() {
  const wall = new ManualClock(epochMillis(1_000_000))
  return { wall, platform: new PlatformClock(wall) }
}

describe('PlatformClock', () => {
  it('runs along with wall time', () => {
    const { wall, platform } = clocks()
    wall.advance(5)
    expect(platform.now()).toBe(1_000_005)
  })

  it('does not move while frozen and continues from there when resumed', () => {
    const { wall, platform } = clocks()
    platform.freeze()
    wall.advance(500)
    expect(platform.now()).toBe(1_000_000)
    platform.resume()
    wall.advance(7)
    expect(platform.now()).toBe(1_000_007)
  })

  it('runs tasks in order of their due time when it is advanced past them', () => {
    const { platform } = clocks()
    const ran: string[] = []
    platform.after(2 * DAY_MILLIS, () => ran.push('second'))
    platform.after(DAY_MILLIS, () => ran.push('first'))
    platform.after(40 * DAY_MILLIS, () => ran.push('never'))
    platform.advance(30 * DAY_MILLIS)
    expect(ran).toEqual(['first', 'second'])
  })

  it('runs a task when wall time reaches it', () => {
    const { wall, platform } = clocks()
    let ran = 0
    platform.after(100, () => {
      ran += 1
    })
    wall.advance(99)
    expect(ran).toBe(0)
    wall.advance(1)
    expect(ran).toBe(1)
  })

  it('does not run a task while frozen', () => {
    const { wall, platform } = clocks()
    let ran = 0
    platform.freeze()
    platform.after(100, () => {
      ran += 1
    })
    wall.advance(1_000)
    expect(ran).toBe(0)
  })

  it('does not run a cancelled task', () => {
    const { platform } = clocks()
    let ran = 0
    const cancel = platform.after(100, () => {
      ran += 1
    })
    cancel()
    platform.advance(1_000)
    expect(ran).toBe(0)
  })

  it('moves backwards without running a task twice', () => {
    const { platform } = clocks()
    let ran = 0
    platform.after(100, () => {
      ran += 1
    })
    platform.advance(200)
    platform.advance(-500)
    platform.advance(1_000)
    expect(ran).toBe(1)
  })

  it('calls its listeners at every move', () => {
    const { platform } = clocks()
    const moves: PlatformTime[] = []
    platform.onMove((time) => moves.push(time))
    platform.advance(60)
    platform.freeze()
    platform.reset()
    expect(moves).toEqual([
      { kind: 'offset', offsetMillis: 60 },
      { kind: 'frozen', at: 1_000_060 },
      { kind: 'offset', offsetMillis: 0 },
    ])
  })
})
