// The SQL console: runs SQL as any identity of a project, in one transaction. The console refuses COPY and everything that
// `db/exec` refuses: transaction control, role changes and other schemas. For a refused statement, `error.code` of the answer
// is the code of the refusal.
import { z } from 'zod'
import { PAST_INSTANT, PastInstant, PastState } from './history.ts'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { StorableText } from './values.ts'

export const SqlParameters = z
  .array(StorableText.nullable())
  .max(1_000)
  .default([])
  .describe('Values of `$1`, `$2` … in the format of Postgres; each becomes a literal')

export const SqlRequest = z.strictObject({
  sql: z.string().max(1_048_576),
  parameters: SqlParameters,
  identity: z
    .union([z.literal('owner'), IdentityReference])
    .describe("`owner`: the project's owner, who may change its structure"),
  max_rows: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(1_000)
    .describe('Maximum number of rows of each result'),
  mode: z
    .enum(['run', 'rollback', 'read_only', 'explain'])
    .default('run')
    .describe(
      '`read_only` refuses writes with 25006. `explain` runs EXPLAIN (ANALYZE, VERBOSE) of one statement and rolls back',
    ),
  timeout_ms: z.number().int().min(1).max(120_000).default(30_000),
  at: z
    .exactOptional(PastInstant)
    .describe(
      `Reads the rows as they were, with \`mode\` \`read_only\` and one SELECT. ${PAST_INSTANT}`,
    ),
})
export type SqlRequest = Shape<typeof SqlRequest>

export const SqlResult = z.object({
  command_tag: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.string().nullable())),
  rows_left_out: z
    .number()
    .describe(
      'Rows beyond `max_rows` or beyond 32 MB of all results together. A SELECT without LIMIT stops after 50,000 rows; rows after that are not counted',
    ),
})
export type SqlResult = Shape<typeof SqlResult>

export const SqlFailure = z.object({
  code: z.string().describe('The SQLSTATE, or the code of a refusal such as `role_change_blocked`'),
  message: z.string(),
  detail: z.string().nullable(),
  hint: z.string().nullable(),
  position: z
    .number()
    .nullable()
    .describe("1-based offset into the SQL, in the units of JavaScript's strings"),
})
export type SqlFailure = Shape<typeof SqlFailure>

export const SqlAnswer = z.object({
  results: z.array(SqlResult),
  notices: z
    .array(z.object({ severity: z.string(), message: z.string() }))
    .describe(
      "Notices of Postgres; severity `ADVICE` is the emulator's own, e.g. a table without row security",
    ),
  duration_ms: z.number(),
  error: SqlFailure.nullable().describe(
    'Set when a statement failed and everything was rolled back',
  ),
  past: z.exactOptional(PastState).describe('How the rows of `at` were found'),
})
export type SqlAnswer = Shape<typeof SqlAnswer>

export const SqlCompletions = z.object({
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  functions: z.array(z.string()),
})
export type SqlCompletions = Shape<typeof SqlCompletions>

export const SQL_OPERATIONS = {
  'POST /projects/:ref/sql': {
    summary: 'Runs SQL as the owner or as an identity.',
    body: SqlRequest,
    answer: SqlAnswer,
  },
  'GET /projects/:ref/completions': {
    summary: 'Lists names of tables and columns for the SQL editor.',
    answer: SqlCompletions,
  },
  'GET /projects/:ref/types': {
    summary: 'Generates TypeScript types of the tables, for the reference client.',
    answer: ['text/plain'],
  },
} as const satisfies OperationTable
