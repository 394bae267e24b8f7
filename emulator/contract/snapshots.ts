// Snapshots of the whole platform: Postgres, registry, users, files and clock.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'

const SnapshotName = z
  .string()
  .regex(
    /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/,
    'must be 1 to 64 letters, digits, "-", "_" or ".", and not begin with "."',
  )

export const SnapshotOrder = z.strictObject({
  name: SnapshotName,
  note: z.exactOptional(z.string().max(1_000)),
  replace: z.exactOptional(z.boolean()).describe('Replaces a snapshot of the same name'),
})
export type SnapshotOrder = Shape<typeof SnapshotOrder>

export const Snapshot = z.object({
  name: z.string(),
  note: z.string().nullable(),
  saved_at: z.string().describe('ISO 8601, wall time'),
  platform_time: z.string().describe('ISO 8601, platform time'),
  size_bytes: z.number(),
  tenants: z.number(),
})
/** A saved state of the whole platform. */
export type Snapshot = Shape<typeof Snapshot>

export const SnapshotList = z.object({ snapshots: z.array(Snapshot) })
export type SnapshotList = Shape<typeof SnapshotList>

const CellText = z
  .string()
  .nullable()
  .describe(
    "Postgres's text; `null` for SQL's null and where the row or the column is missing. Long texts are shortened, and secrets of users masked",
  )

const ChangeMaker = z.object({
  sequence: z.number().describe('The change in the history'),
  at: z.string().describe('ISO 8601 UTC'),
  request_id: z.string().nullable().describe('Null for psql, fixtures and steps'),
  method: z.string().nullable().describe('`null` when the journal no longer has the request'),
  target: z.string().nullable().describe('Path and query'),
  role: z.string(),
  user_id: z.string().nullable(),
})
/** A request or a session that changed a row. */
export type ChangeMaker = Shape<typeof ChangeMaker>

const RowDifference = z.object({
  key: z
    .record(z.string(), z.string().nullable())
    .describe('The primary key by column; empty for a table without one'),
  change: z.enum(['added', 'removed', 'changed']),
  cells: z
    .array(z.object({ column: z.string(), before: CellText, after: CellText }))
    .describe('The cells that differ'),
  made_by: z
    .array(ChangeMaker)
    .describe(
      'The last 5 that changed the row between the states, oldest first; empty when not known',
    ),
})

export const SnapshotDiff = z
  .object({
    taken_at: z
      .string()
      .describe(
        'ISO 8601, wall time. Later changes of the present state are not part of the answer',
      ),
    duration_ms: z.number(),
    tenants: z.array(
      z.object({
        schema_name: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        tables: z.array(
          z.object({
            table: z.string(),
            rows_added: z
              .number()
              .describe(
                'Rows compared by primary key. Without a primary key, a changed row counts as removed and added',
              ),
            rows_removed: z.number(),
            rows_changed: z.number(),
            structure_changed: z.boolean(),
            rows: z
              .array(RowDifference)
              .describe(
                'At most 50 rows of a table and 500 of all tables. The numbers above count all rows',
              ),
          }),
        ),
        objects_added: z.number().describe('A replaced object counts as removed and added'),
        objects_removed: z.number(),
        users_added: z.number(),
        users_removed: z.number(),
        history_gaps: z
          .array(z.string())
          .describe('Sentences: for which rows the history names no request'),
      }),
    ),
  })
  .describe(
    'Differences from the snapshot to the other one, or to the present state; equal parts are left out',
  )
export type SnapshotDiff = Shape<typeof SnapshotDiff>

const ResetTarget = z.enum(['start', 'fixture'])
export type ResetTarget = Shape<typeof ResetTarget>

export const ResetOrder = z.strictObject({
  to: ResetTarget.default('start').describe(
    '`start`: the state after the last applied fixture, with the rows of that moment. `fixture`: only what the fixtures describe that were applied since the start',
  ),
})

export const ResetAnswer = z.object({ duration_ms: z.number(), tenants_reset: z.number() })
/** Result of a reset. */
export type ResetAnswer = Shape<typeof ResetAnswer>

export const SNAPSHOT_OPERATIONS = {
  'GET /snapshots': {
    summary: 'Lists the saved states of the whole platform, newest first.',
    answer: SnapshotList,
  },
  'POST /snapshots': {
    summary: 'Saves the state of the whole platform under a name.',
    body: SnapshotOrder,
    answer: Snapshot,
    status: 201,
  },
  'POST /snapshots/:name/restore': {
    summary: 'Restores the whole platform from a saved state.',
    answer: Snapshot,
  },
  'DELETE /snapshots/:name': { summary: 'Deletes a snapshot.', answer: Snapshot },
  'GET /snapshots/:name/compare': {
    summary: 'Compares a snapshot with another one, or with the present state.',
    query: z.strictObject({ with: z.exactOptional(SnapshotName) }),
    answer: SnapshotDiff,
  },
  'POST /reset': {
    summary:
      'Restores the state after the last fixture, or after the start. With `"to": "fixture"`, drops everything that was made by hand, and applies the fixtures again.',
    body: ResetOrder,
    isBodyOptional: true,
    answer: ResetAnswer,
  },
} as const satisfies OperationTable
