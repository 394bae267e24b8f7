import { describe, expect, it } from 'vitest'
import { startStopwatch } from '../../../emulator/core/stopwatch.ts'

describe('a stopwatch', () => {
  it('measures each stage from the end of the previous stage, and the total', () => {
    let now = 100
    const stopwatch = startStopwatch(() => now)
    now = 100.25
    stopwatch.lap('receive')
    now = 103
    stopwatch.add('engine', 1.5)
    stopwatch.lap('transaction')
    expect(stopwatch.header()).toBe(
      'receive;dur=0.250, engine;dur=1.500, transaction;dur=2.750, total;dur=3.000',
    )
  })

  it('sums the laps of one stage', () => {
    let now = 0
    const stopwatch = startStopwatch(() => now)
    for (now of [1, 3, 6]) stopwatch.lap('body')
    expect(stopwatch.header()).toBe('body;dur=6.000, total;dur=6.000')
  })
})
