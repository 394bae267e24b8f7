// Migrations: the steps of an application's folder, and which of them the template and the tenants of a group have.
import { z } from 'zod'
import type { Shape } from './operation.ts'

export const StepState = z
  .enum(['applied', 'pending', 'changed', 'missing', 'out_of_order', 'interrupted'])
  .describe(
    '`changed`: the text differs from the text that ran. `missing`: the step ran, and its file is missing. `out_of_order`: the step did not run and is older than one that ran. `interrupted`: only the first statements of a step without a transaction ran.',
  )
export type StepState = Shape<typeof StepState>
