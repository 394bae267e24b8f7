// Platform time, which decides every expiry, the platform's `created_at` and, in the embedded engine, SQL's `now()`.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { Instant, QueryNumber } from './values.ts'

export const ClockState = z.object({
  now: z.string().describe('ISO 8601 UTC'),
  frozen: z.boolean(),
  offset_ms: z.number().describe('Milliseconds between platform and wall time'),
  moves_sql_time: z
    .boolean()
    .describe(
      'Whether SQL’s now() follows platform time. False with a PostgreSQL server, which keeps its own time',
    ),
})
export type ClockState = Shape<typeof ClockState>

export const ClockCommand = z
  .union([
    z.strictObject({ advance_ms: z.number() }),
    z.strictObject({ set: Instant }),
    z.strictObject({ freeze: z.union([z.literal(true), Instant]) }),
    z.strictObject({ resume: z.literal(true) }),
    z.strictObject({ reset: z.literal(true) }),
  ])
  .describe('Exactly one member')
export type ClockCommand = Shape<typeof ClockCommand>

export const Expiry = z.object({
  at: z.string().describe('ISO 8601 UTC, platform time'),
  kind: z.enum([
    'dashboard_session',
    'access_token',
    'data_plane_token',
    'project_key',
    'storage_token',
    'realtime_token',
    'signed_url',
    'one_time_code',
    'sign_in',
    'ban',
    'resumable_upload',
  ]),
  count: z
    .number()
    .describe('Number of equal entries that expire within the same minute; `at` is the first'),
  schema_name: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .describe('E-mail address, telephone number or id of the user, or the role of a key'),
  detail: z
    .string()
    .nullable()
    .describe(
      'Purpose of a code, provider of a sign-in, or bucket and object of a signed URL or upload',
    ),
})
export type Expiry = Shape<typeof Expiry>

export const ExpiryList = z
  .object({
    now: z.string().describe('ISO 8601 UTC, platform time'),
    total: z.number().describe('Number of coming expiries, including those that the list omits'),
    expiries: z.array(Expiry).describe('Soonest first'),
  })
  .describe(
    'Contains no secrets. Tokens are those that this process signed, at most the newest 2,000, including revoked ones',
  )
export type ExpiryList = Shape<typeof ExpiryList>

export const ExpiryReceipt = z
  .object({
    from: z.string().describe('ISO 8601 UTC, platform time before the move'),
    to: z.string().describe('Platform time after the move'),
    total: z.number().describe('Number of tokens, codes and others that expired'),
    expired: z.array(Expiry).describe('Soonest first'),
  })
  .describe('What expired because platform time was moved forward')
export type ExpiryReceipt = Shape<typeof ExpiryReceipt>

export const CLOCK_OPERATIONS = {
  'GET /clock': { summary: 'Shows platform time.', answer: ClockState },
  'GET /clock/expiries': {
    summary: 'Lists what expires next: tokens, codes, links, signed URLs, bans and uploads.',
    query: z.strictObject({ limit: QueryNumber.min(1).max(1_000).default(200) }),
    answer: ExpiryList,
  },
  'GET /clock/receipt': {
    summary:
      'Lists what expired when platform time was last moved forward; returns 204 when it was not moved, or moved back since.',
    query: z.strictObject({ limit: QueryNumber.min(1).max(1_000).default(200) }),
    answer: ExpiryReceipt,
    mayBeEmpty: true,
  },
  'POST /clock': { summary: 'Moves platform time.', body: ClockCommand, answer: ClockState },
} as const satisfies OperationTable
