// The comparison of recorded traffic with the answers of this emulator.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'

export const DifferenceKind = z.enum([
  'status',
  'header',
  'type',
  'value',
  'missing',
  'extra',
  'order',
  'missing_event',
  'extra_event',
  'event_order',
  'closed',
  'no_answer',
])
export type DifferenceKind = z.output<typeof DifferenceKind>

const Endpoint = {
  method: z.string(),
  route: z
    .string()
    .describe('Such as `/groups/v1/:group_id/tenants`, or `/appointments` for a table'),
}

const Request = {
  request: z.number().describe('Number of the request in the recording, from 1'),
  target: z.string().describe('Path and query, with masked secrets'),
}

export const ComparedEndpoint = z.object({
  ...Endpoint,
  requests: z.number(),
  agreeing: z.number().describe('Number of requests without a difference'),
})
export type ComparedEndpoint = Shape<typeof ComparedEndpoint>

export const ComparedDifference = z.object({
  ...Endpoint,
  ...Request,
  tenant: z.string().nullable().describe('Slug of the project; `null` when the request names none'),
  identity: z
    .string()
    .nullable()
    .describe('The user’s e-mail address or id, else the role of the key; `null` without one'),
  kind: DifferenceKind,
  at: z
    .string()
    .describe(
      'Such as `status`, `header content-range`, `body[1].name` or `event <topic>[3].payload`',
    ),
  recorded: z.string().nullable().describe('At most 200 characters; `null` when it is absent'),
  replayed: z.string().nullable(),
})
export type ComparedDifference = Shape<typeof ComparedDifference>

export const SkippedRequest = z.object({ ...Endpoint, ...Request, reason: z.string() })
export type SkippedRequest = Shape<typeof SkippedRequest>

export const Comparison = z.object({
  score: z
    .number()
    .describe(
      'Percentage of requests that agree, rounded down to one decimal. 100 means all; 0 also when every request was skipped',
    ),
  endpoints: z.array(ComparedEndpoint),
  differences: z.array(ComparedDifference),
  late_events: z
    .number()
    .describe(
      'Number of events that are not compared, because the recorded client closed its socket or left its channel within the 2 s that an event can take',
    ),
  skipped: z.array(SkippedRequest).describe('Requests that cannot be replayed'),
})
export type Comparison = Shape<typeof Comparison>

/** A HAR file of `tenantry record`. */
const RECORDING_TYPE = 'application/json'

export const COMPARISON_OPERATIONS = {
  'POST /comparisons': {
    summary:
      'Replays a recording of `tenantry record` against this emulator, and lists where the answers differ. The recorded requests change the data.',
    upload: [RECORDING_TYPE],
    answer: Comparison,
  },
} as const satisfies OperationTable
