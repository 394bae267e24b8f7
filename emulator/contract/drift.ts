// Drift and generated steps: how the structures of projects differ from what their migration steps build.
import { z } from 'zod'
import { GivenSteps, ReadTenants } from './migrations.ts'
import type { OperationTable, Shape } from './operation.ts'
import { StructureDiff } from './tables.ts'

export const DriftOrder = z.strictObject({
  steps: GivenSteps,
  tenants: ReadTenants,
})
export type DriftOrder = Shape<typeof DriftOrder>

export const ProjectDrift = z.object({
  slug: z.string(),
  compared_with: z
    .string()
    .nullable()
    .describe(
      '`steps`: what the applied steps build, together with the SQL of the group’s fixture. `fixture`: that SQL alone, while no step ran. Otherwise the slug of a project with the same steps; `null` when nothing could be compared',
    ),
  note: z.string().nullable().describe('Why the steps were not compared'),
  differences: StructureDiff.shape.differences,
  closing_sql: z
    .string()
    .nullable()
    .describe(
      'Statements that end the drift. Those that destroy data are comments, unless the request allowed them. `null` without differences',
    ),
})
export type ProjectDrift = Shape<typeof ProjectDrift>

export const DriftReport = z.object({
  group: z.string().describe('Name of the group'),
  template: ProjectDrift,
  tenants: z.array(ProjectDrift).describe('The oldest first, without removed tenants'),
})
export type DriftReport = Shape<typeof DriftReport>

export const StepRename = z.strictObject({
  kind: z.enum(['column', 'table']),
  from: z.string().describe('`orders`, or `orders.total` with the table’s new name'),
  to: z.string(),
})
export type StepRename = Shape<typeof StepRename>

export const GenerateOrder = z.strictObject({
  steps: GivenSteps,
  allow_destructive: z
    .boolean()
    .default(false)
    .describe('Write the statements that destroy data as statements instead of comments'),
  renames: z.array(StepRename).default([]),
})
export type GenerateOrder = Shape<typeof GenerateOrder>

export const GeneratedStep = z.object({
  sql: z.string().describe('Text of the step'),
  statements: z.int().describe('Statements that the step runs'),
  destroys: z
    .array(z.object({ sql: z.string(), reason: z.string() }))
    .describe('Statements that destroy data'),
  held_back: z.int().describe('Statements that the step contains as comments'),
  rename_candidates: z
    .array(StepRename)
    .describe('Dropped and added objects that may be renamed ones; the step drops and adds them'),
  not_generated: z.array(z.object({ object: z.string(), reason: z.string() })),
})
export type GeneratedStep = Shape<typeof GeneratedStep>

export const RecordOrder = z.strictObject({
  steps: GivenSteps,
  version: z
    .string()
    .describe('Timestamp of the step. It must be the only pending step of the template'),
})
export type RecordOrder = Shape<typeof RecordOrder>

export const RecordedStep = z.object({
  group: z.string().describe('Name of the group'),
  version: z.string(),
})
export type RecordedStep = Shape<typeof RecordedStep>

export const DRIFT_OPERATIONS = {
  'POST /groups/:group/migrations/drift': {
    summary:
      'Compares the structure of the template and of tenants with what their steps say, object by object.',
    body: DriftOrder,
    answer: DriftReport,
  },
  'POST /groups/:group/migrations/generate': {
    summary:
      'Generates the step that contains what changed in the template since its last step. Writes nothing.',
    body: GenerateOrder,
    answer: GeneratedStep,
  },
  'POST /groups/:group/migrations/record': {
    summary: 'Records a generated step in the template’s ledger without running it.',
    body: RecordOrder,
    answer: RecordedStep,
  },
} as const satisfies OperationTable
