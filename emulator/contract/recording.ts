// Recorded requests: headers, bodies and row changes of one request, and its replay.
import { z } from 'zod'
import { JournalEntry } from './journal.ts'
import type { OperationTable, Shape } from './operation.ts'
import { JudgedChange } from './realtime.ts'

export const RecordedBody = z.object({
  state: z
    .enum(['complete', 'empty', 'truncated', 'binary', 'unwatched'])
    .describe(
      '`unwatched`: the request succeeded while no inspector was open, so the body was not kept; `binary`: the body is not text; `truncated`: only its start was kept',
    ),
  text: z
    .string()
    .nullable()
    .describe('With masked passwords and tokens when the request was refused'),
  size_bytes: z.number().nullable(),
})
export type RecordedBody = Shape<typeof RecordedBody>

const StagePart = z.object({
  name: z.string(),
  duration_ms: z.number().describe('Wall-clock milliseconds with fractions'),
})

export const RequestStage = StagePart.extend({
  parts: z
    .array(StagePart)
    .describe('Durations within the stage, such as `engine`: inside Postgres'),
})
export type RequestStage = Shape<typeof RequestStage>

export const RequestRecording = z.object({
  request_headers: z
    .record(z.string(), z.string())
    .describe('Headers as received, with masked credentials'),
  request_body: RecordedBody,
  response_headers: z.record(z.string(), z.string()),
  response_body: RecordedBody,
  claims: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Claims of the credential, whether or not it is valid'),
  stages: z
    .array(RequestStage)
    .nullable()
    .describe(
      'Where the time went, in order, with the names of `Server-Timing`. `null` when no inspector was open',
    ),
})
export type RequestRecording = Shape<typeof RequestRecording>

export const RequestDetail = z.object({
  entry: JournalEntry,
  recording: RequestRecording.nullable().describe(
    '`null` after a restart, or when newer requests replaced it',
  ),
  changes: z.array(JudgedChange).describe('Row changes that the transaction of the request made'),
})
export type RequestDetail = Shape<typeof RequestDetail>

/** A method or the name of a header (RFC 9110 §5.6.2). */
export const HTTP_TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

export const ReplayRequest = z
  .strictObject({
    method: z.exactOptional(z.string().regex(HTTP_TOKEN, 'must be a method of HTTP')),
    target: z.exactOptional(z.string().regex(/^\/[^\s#]*$/, 'must be a path with its query')),
    headers: z.exactOptional(
      z.record(z.string().regex(HTTP_TOKEN), z.string().regex(/^[^\0\r\n]*$/)),
    ),
    body: z.exactOptional(z.string()),
  })
  .describe('Changes to the recorded request. Absent members are sent as recorded')
export type ReplayRequest = Shape<typeof ReplayRequest>

export const ReplayAnswer = z.object({ request_id: z.string(), status: z.number() })
export type ReplayAnswer = Shape<typeof ReplayAnswer>

export const RecordingSettings = z.object({
  refused_bodies: z
    .boolean()
    .describe('Whether the bodies of refused requests are kept while no inspector is open'),
})
export type RecordingSettings = Shape<typeof RecordingSettings>

export const RecordingOrder = z.strictObject({ refused_bodies: z.boolean() })

export const RECORDING_OPERATIONS = {
  'GET /journal/recording': {
    summary: 'Shows which bodies are kept in memory.',
    answer: RecordingSettings,
  },
  'PUT /journal/recording': {
    summary:
      'Keeps the bodies of refused requests or not. Turning it off forgets those that were kept.',
    body: RecordingOrder,
    answer: RecordingSettings,
  },
  'GET /journal/:request_id': {
    summary: 'Shows one request in full, with the row changes it made.',
    answer: RequestDetail,
  },
  'POST /journal/:request_id/replay': {
    summary: 'Sends a recorded request again as the same identity, with the given changes.',
    body: ReplayRequest,
    isBodyOptional: true,
    answer: ReplayAnswer,
  },
} as const satisfies OperationTable
