// Realtime connections of a project, and row changes with the verdict for each subscriber.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { QueryNumber } from './values.ts'

const ROW_EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const

export const RealtimeChannel = z.object({
  topic: z.string(),
  is_private: z.boolean(),
  role: z.string(),
  subject: z.string(),
  token_expires_at: z.string().nullable().describe('ISO 8601; expiry of its token'),
  bindings: z.array(
    z.object({
      event: z.enum(['*', ...ROW_EVENTS]),
      schema: z.string(),
      table: z.string(),
      filter: z.string().nullable(),
    }),
  ),
  presence: z.record(z.string(), z.array(z.unknown())),
})
export type RealtimeChannel = Shape<typeof RealtimeChannel>

export const RealtimeConnection = z.object({
  id: z.string(),
  role: z.string(),
  subject: z.string(),
  connected_at: z.string().describe('ISO 8601, platform time'),
  channels: z.array(RealtimeChannel),
})
export type RealtimeConnection = Shape<typeof RealtimeConnection>

export const RealtimeOverview = z.object({
  connections: z.array(RealtimeConnection),
  captured_tables: z
    .array(z.string())
    .describe('Tables whose changes are captured because a channel subscribes to them'),
})
export type RealtimeOverview = Shape<typeof RealtimeOverview>

export const RealtimeConnectionEvent = z.object({
  change: z.enum(['closed', 'refused', 'frameDropped']),
  schema_name: z.string(),
  topic: z.string().nullable(),
  reason: z.string(),
})
export type RealtimeConnectionEvent = Shape<typeof RealtimeConnectionEvent>

export const ChangeVerdict = z.object({
  topic: z.string(),
  role: z.string(),
  subject: z.string(),
  verdict: z.enum([
    'delivered',
    'filtered',
    'hidden',
    'rlsOff',
    'notEvaluable',
    'refused',
    'tokenExpired',
    'rateLimited',
  ]),
  policies: z.array(z.string()),
  reason: z.string().nullable(),
  latency_ms: z
    .number()
    .nullable()
    .describe('Wall-clock milliseconds from the commit to the socket; only for delivered changes'),
})
export type ChangeVerdict = Shape<typeof ChangeVerdict>

export const JudgedChange = z
  .object({
    number: z.number().describe('Increases with each change, in commit order'),
    schema_name: z.string(),
    table: z.string(),
    event: z.enum(ROW_EVENTS),
    committed_at: z.string().describe('ISO 8601, platform time'),
    request_id: z
      .string()
      .nullable()
      .describe('The request whose transaction made the change; `null` for other connections'),
    row: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The new row as sent, or the key of a deleted row; `null` when no subscriber may see it',
      ),
    old_row: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The row before an update or a deletion, which subscribers do not get in full; `null` when it is too large to show',
      ),
    verdicts: z.array(ChangeVerdict),
  })
  .describe('A row change with the verdict for each subscriber')
export type JudgedChange = Shape<typeof JudgedChange>

export const JudgedChangePage = z.object({ changes: z.array(JudgedChange) })
export type JudgedChangePage = Shape<typeof JudgedChangePage>

export const REALTIME_OPERATIONS = {
  'GET /projects/:ref/realtime': {
    summary: 'Lists open sockets, their channels, and captured tables.',
    answer: RealtimeOverview,
  },
  'GET /projects/:ref/realtime/changes': {
    summary: 'Lists the latest row changes with their verdicts.',
    query: z.strictObject({
      before: z.exactOptional(QueryNumber).describe('Number of a change'),
      limit: QueryNumber.min(1).max(500).default(100),
    }),
    answer: JudgedChangePage,
  },
} as const satisfies OperationTable
