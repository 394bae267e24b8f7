// The history of committed row changes (docs/guide/history.md), and the state of the rows at an earlier instant.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { QueryNumber, ShownCells } from './values.ts'

const ChangedCells = z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()]))

export const RowHistoryEntry = z.object({
  sequence: z.number().describe('Rises with every change of the database'),
  at: z
    .string()
    .describe('ISO 8601 UTC, when its transaction began: platform time, or the server’s'),
  transaction: z.string().describe('The same text for all changes of one transaction'),
  request_id: z.string().nullable().describe('Null for psql, fixtures and steps'),
  role: z.string().describe('The role of Postgres, e.g. `authenticated` or `proj_aurora_owner`'),
  user_id: z.string().nullable(),
  kind: z
    .enum(['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'DROP'])
    .describe('`TRUNCATE` and `DROP` name no rows'),
  table: z.string(),
  key: ShownCells.describe('The primary key; all columns when the table has none'),
  columns: ChangedCells.describe(
    'Old and new value of each changed column, in the format of Postgres',
  ),
})
export type RowHistoryEntry = Shape<typeof RowHistoryEntry>

export const RowHistory = z.object({
  is_recorded: z.boolean().describe('Whether this emulator records changes'),
  changes: z.array(RowHistoryEntry).describe('Newest first'),
  has_more: z.boolean().describe('Older changes were left out'),
  last_sequence: z
    .number()
    .describe('No change of the database has a higher sequence; 0 without any change'),
})
export type RowHistory = Shape<typeof RowHistory>

export const PAST_INSTANT: string =
  'The id of a request (the state just before it), a sequence (just before that change), or a date and time in ISO 8601'

/** An instant in the past of a project's rows. */
export const PastInstant = z.string().min(1).max(200)

export const PastState = z.object({
  before_sequence: z.number().describe('The first change that is taken back'),
  at: z
    .string()
    .nullable()
    .describe('ISO 8601 UTC: the time of the instant; null for a sequence after the last change'),
  request_id: z
    .string()
    .nullable()
    .describe('The named request, or the request of the first change that is taken back'),
  changes_taken_back: z.number(),
  gaps: z.array(z.string()).describe('Sentences: what cannot be shown as it was'),
})
export type PastState = Shape<typeof PastState>

/** All changes of one request, or of one transaction without a request. */
export const HistoryWrite = z.object({
  sequence: z.number().describe('Its first change'),
  at: z.string().describe('ISO 8601 UTC, when its first transaction began'),
  request_id: z.string().nullable().describe('Null for psql, fixtures, steps and the SQL console'),
  role: z.string(),
  user_id: z.string().nullable(),
  tables: z.array(z.string()).describe('Present or last names of the tables with changed rows'),
})
export type HistoryWrite = Shape<typeof HistoryWrite>

export const HistoryTimeline = z.object({
  is_recorded: z.boolean().describe('Whether this emulator records changes'),
  complete_since: z
    .string()
    .nullable()
    .describe('ISO 8601 UTC: all later changes are known. Null when none was recorded'),
  writes: z.array(HistoryWrite).describe('Newest first'),
  has_more: z.boolean().describe('Older writes were left out'),
})
export type HistoryTimeline = Shape<typeof HistoryTimeline>

export const UndoOrder = z
  .strictObject({
    request_id: z
      .exactOptional(z.string().min(1).max(100))
      .describe('Undo what this request changed'),
    transaction: z
      .exactOptional(z.string().regex(/^\d{1,19}$/, 'must be a number'))
      .describe('Undo what this transaction changed'),
    since: z.exactOptional(PastInstant).describe(`Undo everything since. ${PAST_INSTANT}`),
    apply: z.boolean().default(false).describe('False: only show what would change'),
  })
  .refine(
    ({ request_id, since, transaction }) =>
      [request_id, since, transaction].filter((named) => named !== undefined).length === 1,
    'name exactly one of request_id, transaction and since',
  )
export type UndoOrder = Shape<typeof UndoOrder>

export const UndoConflict = z.object({
  message: z.string(),
  table: z.string().nullable(),
  key: ShownCells,
  request_id: z.string().nullable().describe('The request of the later change'),
  sequence: z.number().nullable().describe('The later change'),
})
export type UndoConflict = Shape<typeof UndoConflict>

export const UndoneRow = z.object({
  table: z.string(),
  action: z.enum(['INSERT', 'UPDATE', 'DELETE']).describe('What the undo does with the row'),
  key: ShownCells,
  columns: ChangedCells.describe('Present value and restored value of each column that changes'),
})
export type UndoneRow = Shape<typeof UndoneRow>

export const Undo = z.object({
  is_possible: z.boolean(),
  is_applied: z.boolean(),
  changes: z
    .number()
    .describe('Number of recorded changes that are undone, without those that have no effect'),
  rows: z.array(UndoneRow).describe('At most 200'),
  rows_left_out: z.number(),
  conflicts: z
    .array(UndoConflict)
    .describe('What prevents the undo; empty when the undo is possible'),
  notes: z.array(z.string()).describe('Sentences: what the undo leaves as it is'),
  sql: z.string().describe('The statements, which run as the owner in one transaction'),
})
export type Undo = Shape<typeof Undo>

export const HISTORY_OPERATIONS = {
  'GET /projects/:ref/history': {
    summary: 'Lists committed row changes, with the request and the identity that made them.',
    query: z.strictObject({
      table: z.exactOptional(z.string().min(1).max(63)),
      key: z
        .exactOptional(z.string().max(2_000))
        .describe(
          'Only changes of the row with this primary key; for several columns a JSON array',
        ),
      request_id: z.exactOptional(z.string().min(1).max(100)),
      before: z.exactOptional(QueryNumber).describe('Only changes with a lower sequence'),
      after: z.exactOptional(QueryNumber).describe('Only changes with a higher sequence'),
      limit: QueryNumber.min(0).max(1_000).default(100),
    }),
    answer: RowHistory,
  },
  'GET /projects/:ref/history/timeline': {
    summary: 'Lists the requests and transactions that changed rows, without the rows.',
    query: z.strictObject({
      table: z
        .exactOptional(z.string().min(1).max(63))
        .describe('Only writes that changed rows of this table'),
      limit: QueryNumber.min(1).max(1_000).default(300),
    }),
    answer: HistoryTimeline,
  },
  'POST /projects/:ref/undo': {
    summary:
      'Undoes the changes of a request or a transaction, or all since an instant. The undo is an ordinary, recorded change.',
    body: UndoOrder,
    answer: Undo,
  },
} as const satisfies OperationTable
