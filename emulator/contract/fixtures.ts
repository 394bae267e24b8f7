// Fixtures: repeatable test data. `check` and `apply` also accept a bundle (`*.tenantry-fixture`) as the body. A long apply
// reports progress as events of kind `fixture`.
import { z } from 'zod'
import { LintFinding } from './migrations.ts'
import type { OperationTable, Shape } from './operation.ts'
import { RehearsedLoss, VisibilityChange } from './rehearsals.ts'

export const FixtureReference = z.strictObject({
  fixture: z
    .string()
    .min(1)
    .max(4_096)
    .describe(
      'Name of a listed fixture, or the absolute path of a folder, a `fixture.yaml` or a bundle on this machine',
    ),
  seed_data: z
    .exactOptional(z.string().regex(/^[\w-]{1,64}$/, 'must be the name of a folder in seeds'))
    .describe('Name of a folder in `seeds`, whose files replace those of rows and buckets'),
})
export type FixtureReference = Shape<typeof FixtureReference>

export const FixtureSummary = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  path: z.string(),
  is_applied: z.boolean(),
})
export type FixtureSummary = Shape<typeof FixtureSummary>

export const FixtureProblem = z.object({
  file: z.string(),
  line: z.number().nullable().describe('1-based; `null` for the whole file'),
  path: z.string().describe('e.g. `groups[0].tenants[1].users[0].email`'),
  message: z.string(),
  statement: z.exactOptional(z.string()).describe('Text of the statement of a step that failed'),
})
/** One problem of a fixture. */
export type FixtureProblem = Shape<typeof FixtureProblem>

export const FixtureCounts = z.object({
  groups: z.number(),
  projects: z.number().describe('Templates, their versions and plain projects'),
  tenants: z.number(),
  users: z.number(),
  buckets: z.number(),
  objects: z.number(),
  rows: z.number(),
  faults: z.number(),
})
/** Counts of a fixture's objects. */
export type FixtureCounts = Shape<typeof FixtureCounts>

const StepsOfProject = z.object({
  project: z.string().describe('Slug'),
  steps: z.array(z.string()).describe('File names'),
})

const KeptRows = z.object({
  project: z.string().describe('Slug'),
  table: z.string(),
  change: z
    .enum(['added', 'changed', 'removed'])
    .describe('What the fixture does with these rows, and what did not happen'),
  reason: z
    .enum(['edited', 'there_before', 'referenced', 'refused'])
    .describe(
      '`edited`: the rows were edited since the fixture wrote them. `there_before`: the fixture did not add them. `referenced`: other rows refer to them. `refused`: the database refused to delete them',
    ),
  rows: z.int(),
  keys: z.array(z.record(z.string(), z.string())).describe('Keys of the first ten rows'),
  columns: z.array(z.string()).describe('With `edited`: the columns that differ'),
})
export type KeptRows = Shape<typeof KeptRows>

const RowChanges = z
  .object({
    changed: z.int().describe('Rows that follow a change of the fixture'),
    removed: z.int().describe('Rows that the fixture no longer has'),
    kept: z.array(KeptRows).describe('Rows that stay as they are although the fixture changed'),
  })
  .describe('Changes of rows that were there already')
export type RowChanges = Shape<typeof RowChanges>

const TableChanges = z.object({
  project: z.string().describe('Slug'),
  table: z.string(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
})
/** Counts of the rows in one table that a fixture adds, changes and removes. */
export type TableChanges = Shape<typeof TableChanges>

export const FixtureReport = z.object({
  fixture: z.string(),
  applied: z.boolean().describe('False when the fixture was only checked'),
  problems: z
    .array(FixtureProblem)
    .describe('All problems of the fixture; empty when the emulator can apply it'),
  created: FixtureCounts,
  unchanged: FixtureCounts.describe('Objects that already match the fixture'),
  rows: RowChanges,
  tables: z
    .array(TableChanges)
    .describe('Tables whose rows the fixture adds, changes or removes; a check changes nothing'),
  migrated: z
    .array(StepsOfProject)
    .describe('Migration steps that ran, as file names, also when a later part was refused'),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
/** Result of applying or checking a fixture. */
export type FixtureReport = Shape<typeof FixtureReport>

export const FollowLoss = z.object({
  project: z.string().describe('Slug'),
  ...RehearsedLoss.shape,
})
export type FollowLoss = Shape<typeof FollowLoss>

export const FollowReport = z.object({
  fixture: z.string(),
  event: z
    .enum(['applied', 'refused', 'waiting', 'rebuilt'])
    .describe(
      '`refused`: nothing changed. `waiting`: nothing changed, because rows would be lost; `POST /fixtures/followed/rebuild` applies it. `rebuilt`: projects were emptied and built again from the steps',
    ),
  problems: z.array(FixtureProblem).describe('Why the save was refused'),
  being_written: z
    .array(z.string())
    .describe('Files of steps that do not parse yet. Nothing is applied until they do'),
  migrated: FixtureReport.shape.migrated,
  redone: z
    .array(
      StepsOfProject.extend({
        removed: z.array(z.string()).describe('Those steps of them whose file was removed'),
      }),
    )
    .describe('Steps that changed after they ran, and were carried out in place'),
  losses: z
    .array(FollowLoss)
    .describe('With `waiting`: the rows that would be lost. Otherwise: the rows that were lost'),
  stuck: z
    .array(z.object({ project: z.string().describe('Slug'), reason: z.string() }))
    .describe('Projects that a changed step can only reach by emptying them'),
  people: z
    .array(VisibilityChange.extend({ project: z.string().describe('Slug') }))
    .describe('Rows that identities newly see, or no longer see, because of the steps'),
  notes: z
    .array(z.object({ note: z.string(), projects: z.array(z.string()).describe('Slugs') }))
    .describe('What was not rehearsed, or whose visible rows were not compared, and why'),
  lint: z
    .array(LintFinding)
    .describe('Risks of the steps that ran, which `audit` would find in a tenant, too'),
  rebuilt: z.array(z.string()).describe('Slugs of the projects that were built again'),
  kept: z
    .array(z.string())
    .describe('Slugs of tenants that keep their structure although their template was rebuilt'),
  created: FixtureCounts,
  rows: RowChanges,
  types: z
    .object({ file: z.string(), text: z.string() })
    .nullable()
    .describe('TypeScript types, and the file of the fixture that they belong into'),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
export type FollowReport = Shape<typeof FollowReport>

export const FollowedSave = FollowReport.omit({ types: true })
export type FollowedSave = Shape<typeof FollowedSave>

export const FixtureList = z.object({
  fixtures: z.array(FixtureSummary),
  followed: FollowedSave.nullable().describe(
    'What the last save of the folder did that `tenantry dev` follows',
  ),
})
export type FixtureList = Shape<typeof FixtureList>

export const StepFolder = z.object({
  folder: z
    .string()
    .nullable()
    .describe('Folder with the steps of the project; `null` unless `tenantry dev` follows one'),
  reaches_project: z
    .boolean()
    .describe('Whether a new step runs in this project; false for tenants that keep their version'),
  template: z.string().nullable().describe('Slug of the project that gets new steps first'),
  tenants: z.int().describe('Number of tenants of this template'),
})
export type StepFolder = Shape<typeof StepFolder>

export const NewStep = z.strictObject({
  name: z.string().min(1).max(100).describe('Describes the step, e.g. `add_reviews`'),
  sql: z.string().min(1).max(1_048_576),
})
export type NewStep = Shape<typeof NewStep>

export const WrittenStep = z.object({ path: z.string().describe('Absolute path of the file') })
export type WrittenStep = Shape<typeof WrittenStep>

const QueryName = z
  .string()
  .regex(/^\w[\w -]{0,58}$/, 'must have letters, digits, spaces, "_" and "-" only')
  .describe('Name of the file, without `.sql`')

export const QueryFolder = z.object({
  folder: z
    .string()
    .nullable()
    .describe('Folder with the saved queries; `null` unless `tenantry dev` follows a folder'),
  queries: z.array(z.object({ name: z.string(), sql: z.string() })),
})
export type QueryFolder = Shape<typeof QueryFolder>

export const NewQuery = z.strictObject({
  name: QueryName,
  sql: z.string().min(1).max(1_048_576),
  replace: z.boolean().default(false).describe('Whether an existing file may be replaced'),
})
export type NewQuery = z.output<typeof NewQuery>

export const WrittenQuery = z.object({ path: z.string().describe('Absolute path of the file') })
export type WrittenQuery = Shape<typeof WrittenQuery>

const BUNDLE_TYPES = ['application/gzip', 'application/x-gzip', 'application/octet-stream']

export const FIXTURE_OPERATIONS = {
  'GET /fixtures': {
    summary: 'Lists the fixtures of the package and of the fixtures folder.',
    answer: FixtureList,
  },
  'POST /fixtures/check': {
    summary:
      'Checks a fixture without keeping its data, and lists every problem with file and line.',
    body: FixtureReference,
    upload: BUNDLE_TYPES,
    answer: FixtureReport,
  },
  'POST /fixtures/apply': {
    summary: 'Applies a fixture completely or not at all; `applied` says whether it did.',
    body: FixtureReference,
    upload: BUNDLE_TYPES,
    answer: FixtureReport,
  },
  'POST /fixtures/followed/rebuild': {
    summary:
      'Applies the save of `tenantry dev` that waits because rows would be lost. Loses the rows that the report names.',
    answer: FollowedSave,
  },
  'GET /fixtures/export': {
    summary: 'Exports the running platform as a fixture bundle.',
    query: z.strictObject({
      groups: z.exactOptional(z.string()).describe('Names separated by commas; all when absent'),
    }),
    answer: ['application/gzip'],
  },
} as const satisfies OperationTable

export const STEP_FOLDER_OPERATIONS = {
  'GET /projects/:ref/steps': {
    summary: 'Names the folder of migration steps that the project follows.',
    answer: StepFolder,
  },
  'POST /projects/:ref/steps': {
    summary: 'Writes a migration step into the folder that the project follows.',
    body: NewStep,
    answer: WrittenStep,
  },
} as const satisfies OperationTable

export const QUERY_OPERATIONS = {
  'GET /projects/:ref/queries': {
    summary: 'Lists the saved queries of the folder that is followed.',
    answer: QueryFolder,
  },
  'POST /projects/:ref/queries': {
    summary: 'Saves a query as a file in the folder that is followed.',
    body: NewQuery,
    answer: WrittenQuery,
  },
} as const satisfies OperationTable
