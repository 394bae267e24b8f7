// One timer for many instants of platform time.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { PlatformClock } from '../../../emulator/core/platform-clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { DueWatch } from '../../../emulator/services/realtime/tokens/due-watch.ts'

function watching() {
  const clock = new ManualClock(epochMillis(10_000))
  const rung: string[] = []
  const watch = new DueWatch<string>(clock, (name) => rung.push(name))
  return { clock, rung, watch }
}

describe('DueWatch', () => {
  it('fires in the order of instants, for any order of registration', () => {
    const { clock, rung, watch } = watching()
    watch.watch('late', epochMillis(30_000))
    watch.watch('early', epochMillis(20_000))
    clock.advance(9_999)
    expect(rung).toEqual([])
    clock.advance(1)
    expect(rung).toEqual(['early'])
    clock.advance(60_000)
    expect(rung).toEqual(['early', 'late'])
  })

  it('drops removed instants and moves instants that are registered again', () => {
    const { clock, rung, watch } = watching()
    watch.watch('gone', epochMillis(20_000))
    watch.watch('moved', epochMillis(20_000))
    watch.unwatch('gone')
    watch.watch('moved', epochMillis(40_000))
    clock.advance(15_000)
    expect(rung).toEqual([])
    clock.advance(15_000)
    expect(rung).toEqual(['moved'])
  })

  it('accepts the next due time during its callback', () => {
    const clock = new ManualClock(epochMillis(0))
    let rings = 0
    const watch = new DueWatch<string>(clock, (name) => {
      rings += 1
      watch.watch(name, epochMillis(clock.now() + 5_000))
    })
    watch.watch('again', epochMillis(5_000))
    clock.advance(20_000)
    expect(rings).toBe(4)
  })

  it('fires at once for a past instant, and waits until a frozen clock is advanced', () => {
    const wall = new ManualClock(epochMillis(0))
    const clock = new PlatformClock(wall)
    const rung: string[] = []
    const watch = new DueWatch<string>(clock, (name) => rung.push(name))
    watch.watch('past', epochMillis(-5_000))
    wall.advance(0)
    expect(rung).toEqual(['past'])
    clock.freeze()
    watch.watch('later', epochMillis(5_000))
    wall.advance(60_000)
    expect(rung).toEqual(['past'])
    clock.advance(5_000)
    expect(rung).toEqual(['past', 'later'])
  })
})
