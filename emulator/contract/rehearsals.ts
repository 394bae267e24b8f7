// Rehearsals of migrations: what pending steps do to each tenant of a group, without doing it.
import { z } from 'zod'
import { FixtureProblemOfSteps, GivenSteps, MigrationFailure, ReadTenants } from './migrations.ts'
import type { OperationTable, Shape } from './operation.ts'
import { StructureDiff } from './tables.ts'

export const RehearsalOrder = z.strictObject({
  steps: GivenSteps,
  tenants: ReadTenants,
  remember: z
    .boolean()
    .default(true)
    .describe('Whether the emulator remembers the given steps for the group'),
})
export type RehearsalOrder = Shape<typeof RehearsalOrder>

const ExampleRow = z
  .record(z.string(), z.string().nullable())
  .describe('Cells as Postgres’s text; long cells are cut')

export const VisibilityChange = z.object({
  table: z.string(),
  identity: z.string().describe('`anon`, or the e-mail address, telephone number or id of a user'),
  gained: z.int().describe('Rows that the identity sees only after the steps'),
  lost: z.int().describe('Rows that the identity no longer sees after the steps'),
  has_key: z
    .boolean()
    .describe(
      'Whether a key identifies the rows. Without a key, as in views, rows are compared by their values: a changed row counts as lost and as gained',
    ),
  example: ExampleRow.nullable().describe('A gained row, or a lost row when no row was gained'),
  lost_example: ExampleRow.nullable(),
  error: z.string().nullable().describe('Why reading the table fails after the steps'),
})
export type VisibilityChange = Shape<typeof VisibilityChange>

export const RehearsedLoss = z.object({
  table: z.string(),
  column: z.string().nullable().describe('`null` for whole rows'),
  rows: z.int(),
  example: z.string().nullable().describe('One of the rows as JSON; a long one is cut'),
})
export type RehearsedLoss = Shape<typeof RehearsedLoss>

export const ProjectRehearsal = z.object({
  slug: z.string(),
  ok: z.boolean().describe('False when `migrate apply` would fail'),
  pending: z.array(z.string()).describe('Versions of the steps that were rehearsed'),
  step: z.string().nullable().describe('File name of the step that fails'),
  statement: z.string().nullable(),
  line: z.number().nullable().describe('1-based line of the file'),
  error: MigrationFailure.pick({ code: true, message: true }).nullable(),
  rows_changed: z.int().describe('Rows that the steps insert, update and delete'),
  duration_ms: z.number().describe('Time of the steps inside Postgres'),
  longest_job_ms: z.number().describe('The longest time that other requests waited at once'),
  drift: StructureDiff.shape.differences.describe(
    'How the structure differs from what the applied steps say, before the rehearsal',
  ),
  visibility: z.array(VisibilityChange),
  losses: z.array(RehearsedLoss).describe('Rows and values that the steps lose'),
  notes: z.array(z.string()).describe('What was not rehearsed or not compared, and why'),
})
export type ProjectRehearsal = Shape<typeof ProjectRehearsal>

export const RehearsalReport = z.object({
  group: z.string().describe('Name of the group'),
  ok: z.boolean(),
  template: ProjectRehearsal,
  tenants: z.array(ProjectRehearsal).describe('The oldest first, without removed tenants'),
  fixture_problem: FixtureProblemOfSteps,
  duration_ms: z.number(),
})
export type RehearsalReport = Shape<typeof RehearsalReport>

export const LastRehearsals = z.object({
  projects: z
    .array(ProjectRehearsal)
    .describe(
      'The last rehearsal of each project with exactly the steps that were given last. Without projects whose structure changed since',
    ),
})
export type LastRehearsals = Shape<typeof LastRehearsals>

export const REHEARSAL_OPERATIONS = {
  'POST /groups/:group/migrations/rehearse': {
    summary:
      'Runs pending steps in the template and the tenants of a group, compares visible rows, and rolls everything back.',
    body: RehearsalOrder,
    answer: RehearsalReport,
  },
  'GET /groups/:group/migrations/rehearsals': {
    summary: 'Returns what the last rehearsals of the present steps found, until the next restart.',
    answer: LastRehearsals,
  },
} as const satisfies OperationTable
