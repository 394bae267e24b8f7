import { describe, expect, it } from 'vitest'
import { releaseMemoryWhenIdle } from '../../../emulator/cli/commands/start/idle-memory.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'

const IDLE_MILLIS = 4_000

function world() {
  const wallClock = new ManualClock(epochMillis(0))
  let collections = 0
  const memory = releaseMemoryWhenIdle({
    wallClock,
    collect: async () => {
      collections += 1
    },
  })
  return { memory, pass: (millis: number) => wallClock.advance(millis), count: () => collections }
}

describe('an idle emulator', () => {
  it('collects garbage once after its start', () => {
    const { count, pass } = world()
    pass(IDLE_MILLIS - 1)
    expect(count()).toBe(0)
    pass(1)
    expect(count()).toBe(1)
    pass(10 * IDLE_MILLIS)
    expect(count()).toBe(1)
  })

  it('collects no garbage while it is used', () => {
    const { count, memory, pass } = world()
    for (let use = 0; use < 20; use += 1) {
      memory.noteUse()
      pass(IDLE_MILLIS / 2)
    }
    expect(count()).toBe(0)
  })

  it('collects garbage again after each period of use', () => {
    const { count, memory, pass } = world()
    pass(IDLE_MILLIS)
    memory.noteUse()
    memory.noteUse()
    pass(2 * IDLE_MILLIS)
    expect(count()).toBe(2)
  })
})
