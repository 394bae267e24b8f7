// The fleet of a group as one table: compares every tenant with the template's versions and the migration steps.
import { z } from 'zod'
import { ProjectDrift } from './drift.ts'
import { StepState } from './migrations.ts'
import type { OperationTable, Shape } from './operation.ts'
import { ProjectFacts } from './project-facts.ts'

export const FleetState = z
  .enum(['up_to_date', 'behind', 'conflict', 'rehearsal_failed', 'drifted', 'deleted', 'unknown'])
  .describe(
    'One word for several facts; `facts` has them apart. `behind`: steps are pending, or without known steps the template has a newer version. `conflict`: the steps do not fit the ledger. `rehearsal_failed`: the last rehearsal of these steps failed. `drifted`: the structure differs from what the SQL of its fixture and its steps build. `unknown`: the ledger cannot be read; `problem` says why.',
  )
export type FleetState = Shape<typeof FleetState>

const version = z.string().describe('Timestamp of 14 digits')

export const FleetStep = z.object({
  version,
  name: z.string(),
  file: z.string().nullable().describe('`null` when only ledgers have the step'),
  published_in: z.string().nullable().describe('Slug of the first version that has the step'),
})
export type FleetStep = Shape<typeof FleetStep>

const states = z
  .array(StepState.nullable())
  .describe(
    'State of each step, in the order of `steps` of the answer; `null` when it does not concern the project',
  )

const ComparedWith = z
  .string()
  .nullable()
  .describe(
    '`steps`, `fixture`, or the slug of a project with the same steps, as in a report of drift; `null` until the structure is compared, and when nothing can be compared',
  )
const differences = z
  .number()
  .nullable()
  .describe('Differences from that structure; `null` when it is not compared')

export const FleetVersion = z.object({
  slug: z.string(),
  number: z.number().describe('1 for the template, which is edited'),
  steps: states,
  problem: z.string().nullable().describe('What prevents pending steps, and what to do'),
  compared_with: ComparedWith,
  differences,
  facts: ProjectFacts,
})
export type FleetVersion = Shape<typeof FleetVersion>

export const FleetTenant = z.object({
  slug: z.string(),
  external_id: z.string().nullable(),
  template_version: z
    .number()
    .nullable()
    .describe('Version of the template from which the tenant was cloned'),
  state: FleetState,
  steps: states,
  problem: z
    .string()
    .nullable()
    .describe('What prevents pending steps, or why the last rehearsal failed'),
  compared_with: ComparedWith,
  differences,
  facts: ProjectFacts,
  rehearsal_failure: z.string().nullable().describe('Why the last rehearsal of these steps failed'),
  users: z.number().nullable().describe('`null` until the tenant is read'),
  size_bytes: z.number().nullable().describe('Rows and files; `null` until the tenant is read'),
  last_request_at: z
    .string()
    .nullable()
    .describe('Last request that is not one of the inspector’s pages; `null` without one'),
})
export type FleetTenant = Shape<typeof FleetTenant>

export const Fleet = z.object({
  group: z.object({ id: z.string(), name: z.string() }),
  steps: z.array(FleetStep).describe('Steps that were given last, and steps of ledgers, in order'),
  steps_given_at: z
    .string()
    .nullable()
    .describe('When an operation or a fixture gave steps; `null` when no steps are known'),
  template: FleetVersion.nullable().describe('`null` when the template was removed'),
  versions: z.array(FleetVersion).describe('Published versions, the oldest first'),
  tenants: z.array(FleetTenant).describe('The oldest first; removed tenants included'),
  unread: z
    .number()
    .describe(
      'Projects whose users, size or structure must be read, because they may have changed',
    ),
})
export type Fleet = Shape<typeof Fleet>

export const FleetDrift = ProjectDrift.omit({ closing_sql: true }).extend({
  statements: ProjectDrift.shape.closing_sql,
  into_template: z
    .string()
    .nullable()
    .describe(
      'Statements that give the template the differences. Those that destroy data are comments without `allow_destructive`. `null` without differences, and for the template itself',
    ),
})
export type FleetDrift = Shape<typeof FleetDrift>

export const FleetSurvey = z.object({ unread: z.number().describe('Projects that are left') })
export type FleetSurvey = Shape<typeof FleetSurvey>

export const FLEET_OPERATIONS = {
  'GET /groups/:group/fleet': {
    summary:
      'Compares every tenant of a group with the template’s versions and the migration steps.',
    answer: Fleet,
  },
  'POST /groups/:group/fleet/survey': {
    summary:
      'Reads users, size and structure of the next projects that may have changed since they were read.',
    answer: FleetSurvey,
  },
  'GET /groups/:group/fleet/:slug/drift': {
    summary:
      'Compares the template, a version or a tenant with what its steps say, object by object, as a report of drift does.',
    query: z.object({
      allow_destructive: z
        .enum(['true', 'false'])
        .default('false')
        .describe('`true`: statements that destroy data are statements, not comments'),
    }),
    answer: FleetDrift,
  },
} as const satisfies OperationTable
