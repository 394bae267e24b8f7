import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FuzzWorld } from '../../fuzz/fuzz-world.ts'
import { HangError, withinBound } from '../../fuzz/patience.ts'
import { runTarget } from '../../fuzz/run-target.ts'
import { type FuzzTarget, requireNoTrace, requireThat } from '../../fuzz/target.ts'

const ORDER = { runs: 300, seed: 1 }
const noFailure = (): void => undefined
const world = (requireNoFailure = noFailure): FuzzWorld =>
  ({ requireNoFailure, requireCanary: () => Promise.resolve() }) as FuzzWorld
const numbers = (
  attempt: (value: number) => Promise<string>,
  examples: Readonly<Record<string, number>> = {},
): FuzzTarget<number> => ({
  name: 'numbers',
  cases: fc.nat(1_000),
  examples,
  open: () => Promise.resolve({ attempt }),
})
const atMostTen = async (value: number): Promise<string> => {
  requireThat(value <= 10, `${value} is too large`)
  return 'fits'
}

describe('a fuzzed target', () => {
  it('is reported with the smallest case that fails', async () => {
    const { failure } = await runTarget(numbers(atMostTen), world(), ORDER)
    expect(failure).toMatch(
      /^numbers: 11 is too large\ncase \(\d+ times smaller\): 11\nagain: npm run/,
    )
  })

  it('tries its stored failing cases before random cases', async () => {
    const target = numbers(atMostTen, { 'once too large': 12 })
    const { failure, runs } = await runTarget(target, world(), ORDER)
    expect(failure).toContain(
      'numbers: the kept case "once too large" fails again: 12 is too large',
    )
    expect(runs).toBe(0)
  })

  it('fails when the emulator reports an internal error', async () => {
    const failing = world(() => {
      throw new Error('the emulator reported a failure')
    })
    const { failure } = await runTarget(
      numbers(async () => 'fits'),
      failing,
      ORDER,
    )
    expect(failure).toContain('the emulator reported a failure')
  })

  it('counts the outcomes of its cases', async () => {
    const parity = async (value: number): Promise<string> => (value % 2 === 0 ? 'even' : 'odd')
    const { outcomes, failure } = await runTarget(numbers(parity), world(), ORDER)
    expect(failure).toBeUndefined()
    expect((outcomes.get('even') ?? 0) + (outcomes.get('odd') ?? 0)).toBe(300)
  })
})

describe('the time limit of a fuzz case', () => {
  it('ends a request that gets no answer', async () => {
    const silent = (): Promise<never> => new Promise(() => undefined)
    await expect(withinBound(silent, 100)).rejects.toThrow(HangError)
  })

  it('fails a case that keeps the process busy', async () => {
    const busy = async (): Promise<void> => {
      const { user } = process.cpuUsage()
      while (process.cpuUsage().user - user < 100_000) Math.sqrt(2)
    }
    await expect(withinBound(busy, 50)).rejects.toThrow(/kept the process busy/)
  })
})

describe('a stack trace in an answer', () => {
  it.each(['at async run', 'emulator/x.ts:12', 'RangeError: Invalid', 'node_modules/hono'])(
    'is found: %s',
    (text) => {
      expect(() => requireNoTrace(text)).toThrow(/shows a trace/)
    },
  )

  it('is not reported when the case itself sent the text', () => {
    expect(() => requireNoTrace('column "TypeError" does not exist', 'TypeError')).not.toThrow()
  })
})
