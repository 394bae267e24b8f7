// Decides which measures of an advice show a gain. Pure.
import type { PlanAdvice, PlanEffect } from '../../../emulator/contract/query-plans.ts'

export interface GainTones {
  readonly rows: 'allowed' | 'neutral'
  /** Of the time, or of the estimated cost. */
  readonly time: 'allowed' | 'neutral'
}

/** Only a measure that became less has the tone of a gain. */
export function gainTones(
  before: PlanEffect,
  after: PlanEffect,
  { helps }: Pick<PlanAdvice, 'helps'>,
): GainTones {
  const hasFewerRows =
    before.rows_read !== null && after.rows_read !== null && after.rows_read < before.rows_read
  const isMeasured = before.execution_ms !== null && after.execution_ms !== null
  const isFaster = isMeasured
    ? (after.execution_ms ?? 0) < (before.execution_ms ?? 0)
    : after.cost < before.cost
  const tone = (isLess: boolean) => (helps && isLess ? 'allowed' : 'neutral')
  // Times depend on the machine, so fewer rows are the stronger sign.
  return { rows: tone(hasFewerRows), time: tone(isFaster && !hasFewerRows) }
}
