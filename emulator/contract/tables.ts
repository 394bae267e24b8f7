// The tables of a project with all rows, regardless of policies. Values are texts in Postgres's own format: ISO dates in UTC,
// `\x…` for bytes, `{a,b}` for arrays. `null` is SQL's NULL, `''` an empty text.
// Without an identity, edits and imports run as the project's owner role. If the table has FORCE ROW LEVEL SECURITY, they run
// as service_role instead. Triggers and defaults run with the rights of that role.
// CSV (RFC 4180, UTF-8): the first line names the columns; an empty field is NULL, `""` an empty text. JSON: an array of
// objects, or one object per line; an absent column gets its default. Exports leave out computed columns.
// An import inserts all rows or none: at most 50 MB and a million rows.
import { z } from 'zod'
import { FILE_FORMATS } from './choices.ts'
import { PAST_INSTANT, PastInstant, PastState } from './history.ts'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { Cells, RowColumn, RowFilter, RowOrder } from './values.ts'

export const TableSummary = z.object({
  name: z.string(),
  kind: z.enum(['table', 'view', 'materialized_view', 'partitioned_table', 'foreign_table']),
  rls_enabled: z.boolean(),
  is_closed: z
    .boolean()
    .describe('Whether the platform owns the table (`auth_*`); then only its structure is shown'),
  policies: z.number(),
  rows: z.number().nullable().describe('Number of rows; `null` for a view'),
  is_exact: z.boolean().describe('Whether the rows were counted; `rows` is else an estimate'),
  comment: z.string().nullable(),
})
export type TableSummary = Shape<typeof TableSummary>

export const TableList = z.object({ tables: z.array(TableSummary) })
export type TableList = Shape<typeof TableList>

export const TableColumn = z.object({
  ...RowColumn.shape,
  is_nullable: z.boolean(),
  default: z.string().nullable(),
  is_generated: z.boolean(),
  choices: z.array(z.string()).nullable().describe('Values of an enum'),
  comment: z.string().nullable(),
})
export type TableColumn = Shape<typeof TableColumn>

export const ForeignKey = z.object({
  name: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  target_table: z.string(),
  target_columns: z.array(z.string()),
  is_unique: z.boolean().describe('Whether at most one row can reference each target row'),
})
export type ForeignKey = Shape<typeof ForeignKey>

export const TableIndex = z.object({
  name: z.string(),
  is_unique: z.boolean(),
  constraint: z
    .enum(['primary_key', 'unique', 'exclusion'])
    .nullable()
    .describe('The constraint that the index belongs to'),
  definition: z.string().describe('e.g. `btree (owner, created_at)`'),
})
export type TableIndex = Shape<typeof TableIndex>

export const TableStructure = z.object({
  ...TableSummary.shape,
  columns: z.array(TableColumn),
  indexes: z.array(TableIndex),
  foreign_keys: z.array(ForeignKey),
  referenced_by: z.array(ForeignKey).describe('Foreign keys of other tables that point here'),
})
export type TableStructure = Shape<typeof TableStructure>

export const ProjectStructure = z.object({ tables: z.array(TableStructure) })
export type ProjectStructure = Shape<typeof ProjectStructure>

export const RowsRequest = z.strictObject({
  identity: IdentityReference.nullable().describe(
    'Identity of the reader; `null` means the owner, who sees every row',
  ),
  filters: z.array(RowFilter).max(50).default([]),
  order: z.array(RowOrder).max(20).default([]),
  limit: z.number().int().min(0).max(10_000).default(100),
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  at: z
    .exactOptional(PastInstant)
    .describe(`Reads the rows as they were. ${PAST_INSTANT}. Columns are the present ones`),
})
export type RowsRequest = Shape<typeof RowsRequest>

export const RowsPage = z.object({
  columns: z.array(RowColumn),
  rows: z
    .array(z.array(z.string().nullable()))
    .describe('Cells in the order of `columns`, in the format of Postgres'),
  rows_left_out: z
    .number()
    .describe('Number of rows of the page beyond 32 MB; read them with `offset`'),
  total: z.number(),
  past: z.exactOptional(PastState).describe('How the rows of `at` were found'),
})
export type RowsPage = Shape<typeof RowsPage>

const SeenCells = z
  .exactOptional(Cells)
  .describe(
    'Cells of the row as the editor saw them, in the format of RowsPage. All edits are refused with `conflict` when a cell now has another value; `edit` is then the position of the edit, and `current` has the present cells',
  )

export const RowEdit = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('insert'), row: Cells }),
    z.strictObject({ kind: z.literal('update'), key: Cells, changes: Cells, seen: SeenCells }),
    z.strictObject({ kind: z.literal('delete'), key: Cells, seen: SeenCells }),
  ])
  .describe(
    '`key` is the primary key, or every column of a table without one. An edit that would change two rows is refused',
  )
export type RowEdit = Shape<typeof RowEdit>

export const RowEdits = z.strictObject({
  identity: IdentityReference.nullable().describe(
    'Identity of the editor; `null` means the owner, whom no policy restricts',
  ),
  edits: z.array(RowEdit).min(1).max(1_000),
})
export type RowEdits = Shape<typeof RowEdits>

export const RowEditsAnswer = z.object({
  rows_changed: z.number(),
  rows_not_found: z.number().describe('Number of rows that do not exist, or that policies hide'),
})
export type RowEditsAnswer = Shape<typeof RowEditsAnswer>

/** A problem of a refused import. `import_refused` lists at most 100 `problems`, in the order of the file. */
export const ImportProblem = z.object({
  line: z
    .number()
    .nullable()
    .describe('1-based line on which the row begins; `null` for a problem of the whole file'),
  column: z.string().nullable(),
  message: z.string(),
})
export type ImportProblem = Shape<typeof ImportProblem>

export const StructureDiff = z
  .object({
    differences: z.array(
      z.object({
        kind: z.enum(['missing', 'extra', 'different']),
        object: z.string().describe('e.g. `table`, `column`, `policy`, `index`, `function`'),
        name: z.string(),
        here: z.string().nullable(),
        there: z.string().nullable(),
      }),
    ),
  })
  .describe(
    'Differences seen from the project in the path: only the project `with` has a `missing` object',
  )
export type StructureDiff = Shape<typeof StructureDiff>

const TABLE_FILES = ['text/csv', 'application/json']
export type FileFormat = (typeof FILE_FORMATS)[number]
const FileQuery = z.strictObject({ format: z.enum(FILE_FORMATS) })

export const TABLE_OPERATIONS = {
  'GET /projects/:ref/tables': { summary: 'Lists the tables and views.', answer: TableList },
  'GET /projects/:ref/tables/:table': { summary: 'Describes one table.', answer: TableStructure },
  'GET /projects/:ref/structure': {
    summary: 'Describes all tables and views.',
    answer: ProjectStructure,
  },
  'POST /projects/:ref/tables/:table/rows': {
    summary: 'Reads rows as the owner or as an identity.',
    body: RowsRequest,
    answer: RowsPage,
  },
  'PATCH /projects/:ref/tables/:table/rows': {
    summary: 'Edits all given rows, or none.',
    body: RowEdits,
    answer: RowEditsAnswer,
  },
  'POST /projects/:ref/tables/:table/import': {
    summary: 'Imports all rows of a file, or none.',
    query: FileQuery,
    upload: TABLE_FILES,
    answer: RowEditsAnswer,
  },
  'GET /projects/:ref/tables/:table/export': {
    summary: 'Exports all rows as a file.',
    query: FileQuery,
    answer: TABLE_FILES,
  },
  'GET /projects/:ref/structure-diff': {
    summary: 'Compares the structure of two projects.',
    query: z.strictObject({ with: z.string().min(1) }),
    answer: StructureDiff,
  },
} as const satisfies OperationTable
