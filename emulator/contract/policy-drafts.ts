// Drafts of policies: which rows identities would reach if the owner ran some statements.
import { z } from 'zod'
import { MatrixRequest, PolicyState, VerdictMatrix } from './explain.ts'
import { Identity, IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { SqlFailure } from './sql-console.ts'
import { NewRow, RowCommand, ShownCells } from './values.ts'

export const DraftRequest = z.strictObject({
  relation: MatrixRequest.shape.relation,
  command: RowCommand,
  new_row: z
    .exactOptional(NewRow)
    .describe('INSERT: the row to judge, with defaults for the columns that it leaves out'),
  identities: z.array(IdentityReference).min(1).max(50),
  limit: z.number().int().min(0).max(200).default(50).describe('Maximum number of judged rows'),
  sql: z
    .string()
    .max(100_000)
    .describe(
      "Statements of the project's owner on policies, grants and row-level security of the table. Empty: the present state",
    ),
})
export type DraftRequest = Shape<typeof DraftRequest>

const Cell = VerdictMatrix.shape.rows.element.shape.cells.element

export const DraftMatrix = z.object({
  identities: z.array(
    z.object({
      ...Identity.shape,
      sees: z
        .object({ now: z.number().nullable(), draft: z.number().nullable() })
        .describe('Number of rows that SELECT returns; `null` when it is refused or fails'),
    }),
  ),
  rows: z.array(
    z.object({
      key: ShownCells,
      row: ShownCells,
      cells: z
        .array(
          z.object({ ...Cell.shape, now: Cell.describe('The verdict without the statements') }),
        )
        .describe('One verdict for each identity, after the statements'),
    }),
  ),
  total: z.number().describe('Number of rows of the table'),
  counted: z
    .number()
    .nullable()
    .describe(
      'Number of rows that `sees` covers: all, or the first ones of a large table. `null` when counting took too long',
    ),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
export type DraftMatrix = Shape<typeof DraftMatrix>

export const DraftAnswer = z.object({
  matrix: DraftMatrix.nullable().describe('`null` when a statement fails'),
  error: SqlFailure.nullable().describe('Why a statement fails, with its place in `sql`'),
})
export type DraftAnswer = Shape<typeof DraftAnswer>

export const PolicyTemplate = z.object({
  title: z.string().describe('e.g. `Users read their own rows (owner_id)`'),
  policy: PolicyState.omit({ applies: true, skipped_because: true }),
})
export type PolicyTemplate = Shape<typeof PolicyTemplate>

export const PolicyTemplates = z.object({ templates: z.array(PolicyTemplate) })
export type PolicyTemplates = Shape<typeof PolicyTemplates>

export const DRAFT_OPERATIONS = {
  'GET /projects/:ref/policies/:table/templates': {
    summary:
      'Lists policies that fit the columns and foreign keys of a table, as starting points for a draft.',
    answer: PolicyTemplates,
  },
  'POST /projects/:ref/explain/draft': {
    summary:
      'Judges rows for many identities with statements of the owner, in a transaction that is rolled back, and without them.',
    body: DraftRequest,
    answer: DraftAnswer,
  },
} as const satisfies OperationTable
