// What the home screen shows: problems by cause, the health of the services and totals. All numbers are of one moment. Times are
// wall-clock times, because the platform clock may be frozen or moved.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { ServiceHealth } from './overview.ts'
import { QueryNumber } from './values.ts'

const Instant = z.string().describe('ISO 8601 UTC, wall-clock time')

export const ProblemPlace = z
  .discriminatedUnion('at', [
    z.object({
      at: z.literal('request'),
      request_id: z.string().describe('The newest request of the cause, or the slowest one'),
    }),
    z.object({ at: z.literal('fault'), fault: z.string() }),
    z.object({ at: z.literal('audit'), tenant: z.string() }),
    z.object({ at: z.literal('fleet'), group: z.string(), tenant: z.string() }),
  ])
  .describe('Where the user can act')
export type ProblemPlace = Shape<typeof ProblemPlace>

export const ProblemState = z.object({
  is: z
    .enum(['happening', 'quiet', 'gone'])
    .describe(
      '`happening`: seen in the last five minutes or true at present. `gone`: not seen since `change`. `quiet`: otherwise',
    ),
  change: z
    .enum(['start', 'structure', 'keys', 'restored', 'disarmed'])
    .nullable()
    .describe(
      'The last change that can have ended the problem: the emulator started, the structure of the tenant changed, its keys were replaced, another state was restored, or the fault is no longer armed. `null` without one',
    ),
  changed_at: Instant.nullable(),
  succeeded_at: Instant.nullable().describe(
    'Last success of the same route, or of one of the same routes, after the problem was seen; `null` without one',
  ),
})
export type ProblemState = Shape<typeof ProblemState>

export const Problem = z.object({
  key: z.string().describe('Identifies the cause in later answers'),
  kind: z
    .enum(['failure', 'refusal', 'slow', 'finding', 'drift', 'fault'])
    .describe(
      '`failure`: an internal error. `finding`: of the last audit. `fault`: injected, so nothing is broken',
    ),
  severity: z
    .enum(['error', 'warning'])
    .nullable()
    .describe('Of the findings of one rule; `null` for other problems'),
  cause: z.string().describe('What happened and why, in one or two sentences'),
  where: z
    .string()
    .nullable()
    .describe(
      'Route with its table, function or bucket, such as `POST /notes`, or the object of a finding; `null` when requests to several routes have the cause',
    ),
  tenants: z.array(z.string()).describe('Slugs; empty when no tenant is known'),
  is_tenant_claimed: z
    .boolean()
    .describe('The tenant is an unverified claim of a refused credential'),
  service: z.string().nullable(),
  status: z.number().nullable(),
  code: z.string().nullable(),
  count: z
    .number()
    .describe('Requests in the journal; of a finding the findings, of drift the tenants'),
  slowest_ms: z.number().nullable().describe('Wall-clock milliseconds; `null` unless `slow`'),
  first_seen: Instant,
  last_seen: Instant,
  state: ProblemState,
  see: ProblemPlace,
})
export type Problem = Shape<typeof Problem>

export const RequestTotals = z.object({
  total: z.number(),
  refused: z.number().describe('Answers with status 400 and above, injected ones included'),
  injected: z.number().describe('Requests that an injected fault applied to'),
  refused_by_fault: z
    .number()
    .describe(
      'Refused requests whose answer an injected fault decided; part of both numbers above',
    ),
  since: Instant.nullable().describe('Arrival of the oldest one; `null` without requests'),
})
export type RequestTotals = Shape<typeof RequestTotals>

export const Home = z.object({
  version: z.string(),
  data_dir: z.string().nullable().describe('`null` for an emulator in memory'),
  started_at: Instant,
  memory_bytes: z.number(),
  engine_heap_bytes: z
    .exactOptional(z.number())
    .describe('Memory of the embedded engine; absent for a server'),
  services: z.array(ServiceHealth),
  requests: RequestTotals.describe(
    'Requests in the journal, without those of the inspector’s pages',
  ),
  traffic: z.object({
    from: Instant,
    step_ms: z.number(),
    steps: z.array(z.object({ total: z.number(), refused: z.number() })),
  }),
  problems: z.array(Problem).describe('What still happens first, then the newest'),
  causes: z.number().describe('Number of causes, of which `problems` has the first ones'),
  is_whole: z
    .boolean()
    .describe('`false`: the journal has so many different refusals that the oldest are left out'),
  checks: z
    .object({
      tenants: z.number().describe('Active tenants'),
      audited: z.number().describe('Tenants whose audit is newer than their structure'),
      compared: z.number().describe('Tenants whose structure was compared since it changed'),
    })
    .describe('How much of the tenants is known. Other tenants may have findings or drift'),
})
export type Home = Shape<typeof Home>

export const HOME_OPERATIONS = {
  'GET /home': {
    summary:
      'Groups refusals, failures, slow requests, findings of audits, drift and injected faults by cause, with the health of the services.',
    query: z.object({
      limit: QueryNumber.min(1)
        .max(200)
        .default(50)
        .describe('Maximum number of problems in the answer'),
    }),
    answer: Home,
  },
} as const satisfies OperationTable
