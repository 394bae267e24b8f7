// The live event stream. Each frame is `id: <number>` and `data: <EventBatch>`; the emulator sends at most one every 50 ms. A
// client that reconnects with `last-event-id` gets the missed batches, or a `gap` when the emulator no longer has them.
import { z } from 'zod'
import { ClockState } from './clock.ts'
import { JournalEntry } from './journal.ts'
import { MailboxMessage } from './mailbox.ts'
import type { OperationTable, Shape } from './operation.ts'
import { JudgedChange, RealtimeConnectionEvent } from './realtime.ts'

export const LiveEvent = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('hello'),
      boot_id: z.string(),
      version: z.string(),
      events: z
        .number()
        .describe(
          'Number of events so far. It equals the header `x-tenantry-events` of an earlier answer when nothing happened since',
        ),
    })
    .describe(
      'First event of every connection; a new boot_id means that the emulator was restarted',
    ),
  z
    .object({ kind: z.literal('gap') })
    .describe('Events were lost, so the client must load its data again'),
  z.object({ kind: z.literal('request'), entry: JournalEntry }),
  z.object({ kind: z.literal('change'), change: JudgedChange }),
  z
    .object({
      kind: z.literal('written'),
      schema_name: z.string().nullable(),
      events: z
        .number()
        .describe(
          'Number of events up to the write. The write precedes every answer whose header `x-tenantry-events-after` is at least this number',
        ),
    })
    .describe(
      'Rows or structure of a schema may have changed, over any connection; `null` for any schema. At most one in a batch',
    ),
  z.object({ kind: z.literal('message'), message: MailboxMessage }),
  z.object({
    kind: z.literal('project'),
    change: z.enum(['activated', 'removed', 'purged', 'schemaChanged']),
    project_id: z.string(),
    schema_name: z.string(),
  }),
  z
    .object({
      kind: z.literal('traffic'),
      schema_name: z.string(),
      has_changed: z.boolean().describe('Whether sockets or joined channels changed'),
      messages: z
        .record(z.string(), z.number())
        .describe('Messages to channels since the last event, by topic'),
    })
    .describe('Traffic of a project’s realtime sockets; at most one in a batch'),
  z.object({ kind: z.literal('clock'), clock: ClockState }),
  z.object({
    kind: z.literal('engine'),
    change: z.enum(['restarted', 'down', 'degraded']),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('realtime'), event: RealtimeConnectionEvent }),
  z
    .object({ kind: z.literal('failure'), request_id: z.string(), message: z.string() })
    .describe('An internal error; the log has its stack'),
  z
    .object({ kind: z.literal('faults'), armed: z.number() })
    .describe('Faults were armed, disarmed or fired; GET /faults shows them'),
  z.object({
    kind: z.literal('snapshot'),
    change: z.enum(['saved', 'restored', 'deleted', 'reset']),
    name: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('fixture'),
    fixture: z.string(),
    step: z.string(),
    done: z.number(),
    total: z.number(),
  }),
  z
    .object({
      kind: z.literal('follow'),
      event: z.enum(['applied', 'refused', 'waiting', 'rebuilt']),
    })
    .describe('A folder that `tenantry dev` follows was saved; GET /fixtures shows the result'),
])
export type LiveEvent = Shape<typeof LiveEvent>

export const EventBatch = z.object({ events: z.array(LiveEvent) })
export type EventBatch = Shape<typeof EventBatch>

export const EVENT_OPERATIONS = {
  'GET /events': {
    summary:
      'Streams live events: each frame is an EventBatch. The header last-event-id resumes the stream.',
    query: z.object({
      watches: z
        .enum(['true', 'false'])
        .default('true')
        .describe(
          '`false`: the stream does not count as an open inspector, so no further bodies are kept',
        ),
      requests: z
        .enum(['true', 'false'])
        .default('true')
        .describe(
          '`false`: leaves out the events `request`, `change` and `traffic`, and keeps the bodies of at most 20 requests a second',
        ),
    }),
    answer: ['text/event-stream'],
  },
} as const satisfies OperationTable
