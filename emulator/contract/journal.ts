// The journal: finished requests, newest first. The journal contains requests to the emulator's own API only if configured.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { QueryNumber } from './values.ts'

export const JournalEntry = z.object({
  sequence: z.number().describe('Increases by one with every entry'),
  request_id: z.string(),
  service: z.string(),
  method: z.string(),
  target: z.string(),
  status: z.number(),
  received_at: z.string().describe('ISO 8601 UTC, platform time'),
  arrived_at: z
    .string()
    .describe('ISO 8601 UTC, wall-clock time, which a frozen or moved platform clock leaves alone'),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
  schema_name: z.string().nullable(),
  schema_is_claimed: z
    .boolean()
    .describe('`schema_name` is an unverified claim of a refused credential'),
  group_id: z.string().nullable(),
  role: z.string().nullable(),
  subject: z.string().nullable(),
  credential_kind: z.string().nullable(),
  statement: z.string().nullable(),
  parameters: z
    .array(z.string().nullable())
    .nullable()
    .describe(
      'Values of the statement. `null` for a request with a body, with secrets in its address, or with more than 8 KB of values',
    ),
  row_count: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  fault: z.string().nullable().describe('Id of the fault that applied to the request'),
  is_from_inspector: z
    .boolean()
    .describe('A page of the inspector sent the request, with the header `x-tenantry-inspector`'),
})
export type JournalEntry = Shape<typeof JournalEntry>

export const JournalPage = z.object({ entries: z.array(JournalEntry) })
export type JournalPage = Shape<typeof JournalPage>

export const JournalFacets = z
  .object({
    total: z.number(),
    services: z.record(z.string(), z.number()),
    methods: z.record(z.string(), z.number()),
    statuses: z.record(z.string(), z.number()).describe('By class: `2xx`'),
    roles: z.record(z.string(), z.number()),
    schemas: z.record(z.string(), z.number()),
  })
  .describe('Number of requests for each value, the most frequent first')
export type JournalFacets = Shape<typeof JournalFacets>

export const RouteSummary = z.object({
  route: z
    .string()
    .describe('Method and path without ids, names of tenants and keys of objects: `GET /patients`'),
  count: z.number(),
  refused: z.number().describe('Requests answered with status 400 and above'),
  p50_ms: z.number().describe('Median duration in wall-clock milliseconds'),
  p95_ms: z.number().describe('95 % of the requests took at most this long'),
  slowest: z.string().describe('Id of the slowest request'),
})
export type RouteSummary = Shape<typeof RouteSummary>

export const JournalRoutes = z
  .object({
    requests: z.number().describe('Requests that were measured'),
    total: z.number().describe('Routes that they used'),
    routes: z.array(RouteSummary).describe('Those with the highest p95 first'),
  })
  .describe('All requests of the journal under the filters, by route')
export type JournalRoutes = Shape<typeof JournalRoutes>

/** A status such as `404`, or a class such as `4xx`. */
const StatusRange = z
  .string()
  .regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class such as 4xx')
  .transform((text) => {
    const from = Number(text.replace('xx', '00'))
    return { from, to: text.endsWith('xx') ? from + 99 : from }
  })

const QueryFlag = z.enum(['true', 'false']).transform((text) => text === 'true')

const FacetsQuery = z.object({
  before: z.exactOptional(QueryNumber),
  after: z.exactOptional(QueryNumber),
  request_id: z.exactOptional(z.string()),
  schema_name: z.exactOptional(z.string()),
  service: z.exactOptional(z.string()),
  method: z.exactOptional(z.string().transform((text) => text.toUpperCase())),
  status: z.exactOptional(StatusRange),
  role: z.exactOptional(z.string()),
  refused: z
    .exactOptional(QueryFlag)
    .describe('`true`: only requests answered with status 400 and above; `false`: only the others'),
  from_inspector: z
    .exactOptional(QueryFlag)
    .describe('`false` leaves out the requests of the inspector’s pages; `true` leaves only them'),
  search: z.exactOptional(z.string().max(1_000)),
})
/** The decoded conditions of a journal query. */
export type JournalConditionsQuery = z.output<typeof FacetsQuery>

export const Refusals = z.object({
  refusals: z.array(
    z.object({
      entry: JournalEntry,
      reason: z.string().describe('What the refusal means, in plain words'),
      claimed_subject: z
        .string()
        .nullable()
        .describe('Subject that the refused credential claims, when no identity was accepted'),
    }),
  ),
  refused: z.number().describe('Number of refused requests in the journal'),
  total: z.number().describe('Number of requests in the journal'),
})
export type Refusals = Shape<typeof Refusals>

export const REFUSAL_OPERATIONS = {
  'GET /journal/refusals': {
    summary:
      'Lists the last refused requests with their reasons, without those of the inspector’s pages.',
    query: z.object({ limit: QueryNumber.min(1).max(100).default(10) }),
    answer: Refusals,
  },
} as const satisfies OperationTable

export const JOURNAL_OPERATIONS = {
  'GET /journal': {
    summary: 'Lists the requests, newest first.',
    query: z.object({ ...FacetsQuery.shape, limit: QueryNumber.min(1).max(1_000).default(100) }),
    answer: JournalPage,
  },
  'GET /journal/facets': {
    summary: 'Counts the requests by service, status and other values.',
    query: FacetsQuery,
    answer: JournalFacets,
  },
  'GET /journal/routes': {
    summary: 'Measures the requests of each route: number, median, 95th percentile, refused.',
    query: z.object({
      ...FacetsQuery.shape,
      limit: QueryNumber.min(1).max(1_000).default(200).describe('Maximum number of routes'),
    }),
    answer: JournalRoutes,
  },
} as const satisfies OperationTable
