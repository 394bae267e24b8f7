// The two facts about a project of a fleet: its steps, and the differences of its structure.
import { z } from 'zod'
import type { Shape } from './operation.ts'

export const StepsFact = z.object({
  ran: z.number().nullable().describe('Steps that ran; `null` when the ledger cannot be read'),
  pending: z
    .number()
    .nullable()
    .describe('Steps that did not run; `null` when no steps are known or the ledger is unreadable'),
  problem: z
    .string()
    .nullable()
    .describe('What prevents pending steps, or why the ledger cannot be read'),
})
export type StepsFact = Shape<typeof StepsFact>

export const DifferencesFact = z.object({
  state: z
    .enum(['checked', 'not_checked', 'not_comparable'])
    .describe(
      '`not_checked`: the structure was not compared since it changed. `not_comparable`: nothing is known that it should be',
    ),
  count: z.number().nullable().describe('`null` unless the structure was checked'),
  compared_with: z
    .string()
    .nullable()
    .describe(
      '`steps`, `fixture`, or the slug of a version or project; `null` unless the structure was checked',
    ),
})
export type DifferencesFact = Shape<typeof DifferencesFact>

export const ProjectFacts = z
  .object({ steps: StepsFact, differences: DifferencesFact })
  .describe('Which steps ran, and how the structure differs from what steps and version say')
export type ProjectFacts = Shape<typeof ProjectFacts>
