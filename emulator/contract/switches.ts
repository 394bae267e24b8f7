// Switches of a project: simulate situations of the hosted platform that do not occur locally.
import { z } from 'zod'
import { SWITCHES } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'

export type SwitchName = (typeof SWITCHES)[number]

export const SwitchState = z.object({
  project_id: z.string(),
  schema_name: z.string(),
  on: z.array(z.enum(SWITCHES)).describe('Switches that are on'),
  available: z
    .record(z.enum(SWITCHES), z.string())
    .describe('Every switch with the answer it produces'),
})
export type SwitchState = Shape<typeof SwitchState>

export const SwitchOrder = z.strictObject({ on: z.array(z.enum(SWITCHES)) })

export const SWITCH_OPERATIONS = {
  'GET /projects/:ref/switches': { summary: 'Lists the armed situations.', answer: SwitchState },
  'PUT /projects/:ref/switches': {
    summary: 'Arms exactly the named situations.',
    body: SwitchOrder,
    answer: SwitchState,
  },
} as const satisfies OperationTable
