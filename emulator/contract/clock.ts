// Platform time, which decides every expiry, `created_at` and SQL's `now()`.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { Instant } from './values.ts'

export const ClockState = z.object({
  now: z.string().describe('ISO 8601 UTC'),
  frozen: z.boolean(),
  offset_ms: z.number().describe('Milliseconds between platform and wall time'),
})
export type ClockState = Shape<typeof ClockState>

export const ClockCommand = z
  .union([
    z.strictObject({ advance_ms: z.number() }),
    z.strictObject({ set: Instant }),
    z.strictObject({ freeze: z.union([z.literal(true), Instant]) }),
    z.strictObject({ resume: z.literal(true) }),
    z.strictObject({ reset: z.literal(true) }),
  ])
  .describe('Exactly one member')
export type ClockCommand = Shape<typeof ClockCommand>

export const CLOCK_OPERATIONS = {
  'GET /clock': { summary: 'Shows platform time.', answer: ClockState },
  'POST /clock': { summary: 'Moves platform time.', body: ClockCommand, answer: ClockState },
} as const satisfies OperationTable
