import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { PlatformClock } from '../../../emulator/core/platform-clock.ts'

const DAY_MILLIS = 86_400_000

describe('SystemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('can wait longer than the longest delay of a JavaScript timer', () => {
    let ran = 0
    new SystemClock().after(100 * DAY_MILLIS, () => {
      ran += 1
    })
    vi.advanceTimersByTime(99 * DAY_MILLIS)
    expect(ran).toBe(0)
    vi.advanceTimersByTime(DAY_MILLIS)
    expect(ran).toBe(1)
  })

  it('can cancel a long wait that has begun', () => {
    let ran = 0
    const cancel = new SystemClock().after(100 * DAY_MILLIS, () => {
      ran += 1
    })
    vi.advanceTimersByTime(60 * DAY_MILLIS)
    cancel()
    vi.advanceTimersByTime(60 * DAY_MILLIS)
    expect(ran).toBe(0)
  })

  it.each([-5, Number.NaN])('runs a task with the delay %d almost at once', (delay) => {
    let ran = 0
    new SystemClock().after(delay, () => {
      ran += 1
    })
    vi.advanceTimersByTime(1)
    expect(ran).toBe(1)
  })

  it('passes each task to its runner, so that a task that throws does not stop other tasks', () => {
    const caught: unknown[] = []
    const run = (task: () => void): void => {
      try {
        task()
      } catch (error) {
        caught.push(error)
      }
    }
    const wall = new SystemClock(run)
    const platform = new PlatformClock(wall, undefined, run)
    let ran = 0
    platform.after(10, () => {
      throw new Error('full')
    })
    platform.after(20, () => {
      ran += 1
    })
    platform.advance(50)
    expect(caught).toMatchObject([{ message: 'full' }])
    expect(ran).toBe(1)
  })
})
