import { describe, expect, it } from 'vitest'
import { type BenchRun, type Figure, findWorse } from '../../bench/report.ts'

const run = (machineMicros: number, ...figures: readonly Figure[]): BenchRun => ({
  machineMicros,
  figures,
})
const rate = (value: number, spread?: number): Figure => ({
  name: 'GET',
  unit: 'per s',
  value,
  spread,
})
const memory = (value: number): Figure => ({ name: 'memory', unit: 'MiB', value })

describe('the comparison with the previous run', () => {
  it('reports a lower rate and a longer time, worst first', () => {
    const time = (value: number): Figure => ({ name: 'start', unit: 'ms', value })
    const worse = findWorse(run(100, rate(1_000), time(500)), run(100, rate(700), time(1_000)))
    expect(worse).toEqual([
      { figure: time(1_000), before: 500, loss: 1 },
      { figure: rate(700), before: 1_000, loss: expect.closeTo(0.3) },
    ])
  })

  it('reports neither gains nor losses within the noise of both runs', () => {
    expect(findWorse(run(100, rate(1_000)), run(100, rate(2_000)))).toEqual([])
    expect(findWorse(run(100, rate(1_000)), run(100, rate(900)))).toEqual([])
    expect(findWorse(run(100, rate(1_000, 0.3)), run(100, rate(700, 0.1)))).toEqual([])
  })

  it('expects lower rates on a slower machine, but the same memory', () => {
    expect(findWorse(run(100, rate(1_000)), run(200, rate(500)))).toEqual([])
    expect(findWorse(run(100, rate(500)), run(50, rate(500)))).toMatchObject([{ before: 1_000 }])
    expect(findWorse(run(100, memory(150)), run(200, memory(200)))).toMatchObject([{ before: 150 }])
  })

  it('ignores figures that the previous run did not have', () => {
    expect(findWorse(run(100), run(100, rate(1)))).toEqual([])
  })
})
