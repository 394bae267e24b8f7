import { expect, it } from 'vitest'
import type { PlanEffect } from '../../../../../emulator/contract/query-plans.ts'
import { gainTones } from '../../../../../renderer/parts/plan/advice-gain.ts'

const effect = (rows: number | null, millis: number | null, cost = 10): PlanEffect => ({
  rows_read: rows,
  execution_ms: millis,
  cost,
})

it.each([
  ['fewer rows', effect(8_907, 5), effect(20, 1), true, 'allowed', 'neutral'],
  ['the same rows in less time', effect(8_907, 5), effect(8_907, 1), true, 'neutral', 'allowed'],
  ['a lower estimate', effect(null, null, 90), effect(null, null, 9), true, 'neutral', 'allowed'],
  ['an advice that does not help', effect(90, 5), effect(89, 4), false, 'neutral', 'neutral'],
] as const)('marks the gain of %s', (_, before, after, helps, rows, time) => {
  expect(gainTones(before, after, { helps })).toEqual({ rows, time })
})
