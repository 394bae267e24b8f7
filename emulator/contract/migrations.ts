// Migrations: the steps of an application's folder, and which of them the template and the tenants of a group have. The caller
// sends the steps, because the folder is on the caller's side.
import { z } from 'zod'
import { LINT_RULES } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'
import { ProjectFacts } from './project-facts.ts'

export const StepSource = z.strictObject({
  file: z.string().min(1).max(255).describe('File name, e.g. `20261122120000_add_reviews.sql`'),
  sql: z.string().max(1_048_576),
})
/** A migration step: one SQL file. */
export type StepSource = Shape<typeof StepSource>

/** Whether the fixture of the folder that `tenantry dev` follows still fits. */
export const FixtureProblemOfSteps = z
  .string()
  .nullable()
  .describe(
    'Why the fixture that `tenantry dev` follows no longer fits these steps, and what to do. `null` when it fits, or when no fixture is followed',
  )

/** Steps in the body of an operation. */
export const GivenSteps = z
  .exactOptional(z.array(StepSource).max(10_000))
  .describe(
    'All steps of the folder, in any order. The emulator remembers the steps that were given last for a group, and uses them when they are absent',
  )

/** Tenants in the body of an operation that reads. */
export const ReadTenants = z
  .union([z.enum(['all', 'none']), z.array(z.string())])
  .default('all')
  .describe('The tenants besides the template: all, none, or their slugs')

export const StepState = z
  .enum(['applied', 'pending', 'changed', 'missing', 'out_of_order', 'interrupted'])
  .describe(
    '`changed`: the text differs from the text that ran. `missing`: the step ran, and its file is missing. `out_of_order`: the step did not run and is older than one that ran. `interrupted`: only the first statements of a step without a transaction ran.',
  )
export type StepState = Shape<typeof StepState>

export const MigrationProject = z.object({
  slug: z.string(),
  template_version: z
    .string()
    .nullable()
    .describe('Slug of the template that a tenant was cloned from; `null` for templates'),
  state: z
    .enum(['up_to_date', 'behind', 'conflict', 'deleted', 'unknown'])
    .describe('`unknown`: the ledger cannot be read; `problem` says why'),
  steps: z.array(z.object({ version: z.string(), name: z.string(), state: StepState })),
  problem: z.string().nullable().describe('What prevents pending steps, and what to do'),
  facts: ProjectFacts,
})
export type MigrationProject = Shape<typeof MigrationProject>

export const MigrationStatus = z.object({
  group: z.string().describe('Name of the group'),
  template: MigrationProject,
  versions: z.array(MigrationProject).describe('Published versions, the oldest first'),
  tenants: z.array(MigrationProject).describe('The oldest first; removed tenants included'),
})
export type MigrationStatus = Shape<typeof MigrationStatus>

export const MigrationFailure = z.object({
  step: z.string().nullable().describe('File name; `null` when no step was running'),
  statement: z.string().nullable(),
  line: z.number().nullable().describe('1-based line of the file'),
  code: z.string().describe('SQLSTATE, the code of a refusal, or `conflict`'),
  message: z.string(),
})
/** Reason and place of a failed migration. */
export type MigrationFailure = Shape<typeof MigrationFailure>

export const MigrationResult = z.object({
  slug: z.string(),
  ok: z.boolean(),
  applied: z.array(z.string()).describe('Versions of the steps that this call applied'),
  pending: z.array(z.string()).describe('Versions of the steps that have not run'),
  skipped: z
    .enum(['deleted', 'template_failed', 'publish_failed', 'canary_failed', 'stopped'])
    .nullable(),
  error: MigrationFailure.nullable(),
})
/** Result of a migration for one project. */
export type MigrationResult = Shape<typeof MigrationResult>

export const MigrationSteps = z.strictObject({ steps: GivenSteps })
export type MigrationSteps = Shape<typeof MigrationSteps>

export const MigrationOrder = z.strictObject({
  steps: GivenSteps,
  tenants: z
    .union([z.enum(['all', 'none']), z.array(z.string())])
    .default('none')
    .describe('The tenants that get the steps after the template: all, none, or their slugs'),
  publish: z
    .boolean()
    .default(false)
    .describe('Publish the template, unless the newest version has all steps'),
  canary: z
    .array(z.string())
    .default([])
    .describe('Slugs of tenants that come first; when one fails, the others are skipped'),
  on_failure: z.enum(['continue', 'stop']).default('continue'),
  dry_run: z.boolean().default(false).describe('Report pending steps and run nothing'),
  baseline: z
    .exactOptional(z.string())
    .describe(
      'In projects without a ledger, published versions included, record steps up to this version and do not run them',
    ),
})
export type MigrationOrder = Shape<typeof MigrationOrder>

export const BaselinedVersion = z.object({
  slug: z.string(),
  recorded: z.array(z.string()).describe('Versions of the steps that were recorded'),
  error: MigrationFailure.nullable().describe('`missing_key`: no key is set that reaches it'),
})
export type BaselinedVersion = Shape<typeof BaselinedVersion>

export const MigrationReport = z.object({
  group: z.string().describe('Name of the group'),
  ok: z.boolean(),
  template: MigrationResult,
  versions: z
    .array(BaselinedVersion)
    .describe(
      'Published versions that had no ledger, with the baseline; empty without `baseline`. Their pending steps do not run',
    ),
  published: z.string().nullable().describe('Slug of the version that has the steps'),
  publish_error: MigrationFailure.nullable(),
  tenants: z.array(MigrationResult),
  fixture_problem: FixtureProblemOfSteps,
})
/** Result of a migration for the template, its versions and the tenants of a group. */
export type MigrationReport = Shape<typeof MigrationReport>

export const LintFinding = z.object({
  file: z.string(),
  line: z.number().describe('1-based line of the statement'),
  rule: z.enum(LINT_RULES),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  safer: z.string().nullable().describe('SQL or advice that avoids the risk'),
})
export type LintFinding = Shape<typeof LintFinding>

export const MigrationLint = z.object({
  group: z.string().describe('Name of the group'),
  steps: z
    .array(z.string())
    .describe('Files that were linted: those that the template does not have yet'),
  findings: z.array(LintFinding),
})
export type MigrationLint = Shape<typeof MigrationLint>

export const MIGRATION_OPERATIONS = {
  'POST /groups/:group/migrations/status': {
    summary: 'Compares steps with the template, its versions and the tenants of a group.',
    body: MigrationSteps,
    answer: MigrationStatus,
  },
  'POST /groups/:group/migrations/apply': {
    summary:
      'Applies pending steps to the template of a group and then to its tenants. Each step is one transaction.',
    body: MigrationOrder,
    answer: MigrationReport,
  },
  'POST /groups/:group/migrations/lint': {
    summary:
      'Finds risks in the steps that the template of a group does not have yet: locks, rewrites, lost data, unintended access.',
    body: MigrationSteps,
    answer: MigrationLint,
  },
} as const satisfies OperationTable
