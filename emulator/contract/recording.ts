// Recorded requests: headers, bodies and row changes of one request, and its replay.
import { z } from 'zod'
import { JournalEntry } from './journal.ts'
import type { OperationTable, Shape } from './operation.ts'
import { JudgedChange } from './realtime.ts'

export const RecordedBody = z.object({
  state: z
    .enum(['complete', 'empty', 'truncated', 'binary', 'unwatched'])
    .describe(
      '`unwatched`: not kept, because no inspector was open; `binary`: not text; `truncated`: only the start',
    ),
  text: z.string().nullable(),
  size_bytes: z.number().nullable(),
})
export type RecordedBody = Shape<typeof RecordedBody>

export const RequestRecording = z.object({
  request_headers: z.record(z.string(), z.string()).describe('As received; credentials are masked'),
  request_body: RecordedBody,
  response_headers: z.record(z.string(), z.string()),
  response_body: RecordedBody,
  claims: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Claims of the credential, valid or not'),
})
export type RequestRecording = Shape<typeof RequestRecording>

export const RequestDetail = z.object({
  entry: JournalEntry,
  recording: RequestRecording.nullable().describe(
    '`null` after a restart, or when newer requests replaced it',
  ),
  changes: z.array(JudgedChange).describe('Row changes its transaction made'),
})
export type RequestDetail = Shape<typeof RequestDetail>

/** A header name (RFC 9110 §5.6.2). */
const HTTP_TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

export const ReplayRequest = z
  .strictObject({
    method: z.exactOptional(z.string().regex(HTTP_TOKEN, 'must be a method of HTTP')),
    target: z.exactOptional(z.string().regex(/^\/[^\s#]*$/, 'must be a path with its query')),
    headers: z.exactOptional(
      z.record(z.string().regex(HTTP_TOKEN), z.string().regex(/^[^\0\r\n]*$/)),
    ),
    body: z.exactOptional(z.string()),
  })
  .describe('Changes to the recorded request; members that are left out are sent as recorded')
export type ReplayRequest = Shape<typeof ReplayRequest>

export const ReplayAnswer = z.object({ request_id: z.string(), status: z.number() })
export type ReplayAnswer = Shape<typeof ReplayAnswer>

export const RECORDING_OPERATIONS = {
  'GET /journal/:request_id': {
    summary: 'One request in full, with the row changes it made.',
    answer: RequestDetail,
  },
  'POST /journal/:request_id/replay': {
    summary: 'Sends it again as the same identity, edited when told.',
    body: ReplayRequest,
    isBodyOptional: true,
    answer: ReplayAnswer,
  },
} as const satisfies OperationTable
