// Faults: errors, delays and broken connections that a developer injects.
import { z } from 'zod'
import { FAULT_KINDS, FAULT_SERVICES } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'
import { QueryNumber } from './values.ts'

export const FaultService = z.enum(FAULT_SERVICES)
export type FaultService = Shape<typeof FaultService>

// Each kind needs a shape in FaultEffect.
const FaultKind = z.enum(FAULT_KINDS satisfies readonly FaultEffect['kind'][])

export const FaultScope = z
  .strictObject({
    service: FaultService.optional(),
    operation: z
      .string()
      .optional()
      .describe('An operation of the catalogue, e.g. `tenant.provision`'),
    project: z
      .string()
      .optional()
      .describe(
        'Slug, schema name or id of a project. On management routes, the template of the group also matches',
      ),
    identity: z
      .strictObject({ role: z.string().optional(), subject: z.string().optional() })
      .optional()
      .describe(
        'Identity in the claims of the credential, verified or not. `subject` is the id of a user, an e-mail address or `apikey:anon`',
      ),
  })
  .describe('Which requests a fault applies to; absent members match all')
export type FaultScope = Shape<typeof FaultScope>

const Millis = z.int().min(0).max(3_600_000)

export const FaultEffect = z
  .discriminatedUnion('kind', [
    z
      .strictObject({ kind: z.literal('error'), code: z.string().min(1) })
      .describe(
        "The platform's own error with its documented body. Only operations that document the code fail. The service does no other work, except for codes that leave a state behind (`clone_incompleto`, `pendente`)",
      ),
    z
      .strictObject({ kind: z.literal('latency'), ms: Millis, jitter_ms: Millis.optional() })
      .describe('The emulator delays the answer by this number of wall-clock milliseconds'),
    z
      .strictObject({ kind: z.literal('answer_lost') })
      .describe('The service commits its work, then the connection ends without an answer'),
    z
      .strictObject({ kind: z.literal('connection_dropped') })
      .describe('The connection ends before any work is done'),
    z.strictObject({ kind: z.literal('disk_full') }).describe('Storage can write no more bytes'),
    z
      .strictObject({ kind: z.literal('realtime_disconnect') })
      .describe('The fault closes open sockets in scope, and new ones while it is armed'),
    z.strictObject({ kind: z.literal('realtime_delay'), ms: Millis }),
    z.strictObject({ kind: z.literal('realtime_duplicate') }),
  ])
  .describe('Effect of the fault on a request or socket')
export type FaultEffect = Shape<typeof FaultEffect>

export const FaultOrder = z.strictObject({
  scope: FaultScope.default({}),
  effect: FaultEffect,
  count: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Number of times that the fault fires before it is disarmed; unlimited when absent'),
  probability: z.number().gt(0).max(1).optional().describe('1 when absent'),
})
/** A decoded request to arm a fault, with defaults filled in. */
export type FaultOrder = z.output<typeof FaultOrder>

export const ArmedFault = z.object({
  ...FaultOrder.shape,
  scope: FaultScope,
  id: z.string(),
  armed_at: z.string().describe('ISO 8601, platform time'),
  fired: z.number().describe('How often'),
  request_ids: z
    .array(z.string())
    .describe('Requests that the fault applied to, newest first, at most 20'),
})
export type ArmedFault = Shape<typeof ArmedFault>

export const FaultList = z.object({ faults: z.array(ArmedFault).describe('Newest first') })
export type FaultList = Shape<typeof FaultList>

export const FaultFiring = z.object({
  number: z.number().describe('Increases by one with every firing'),
  at: z.string().describe('ISO 8601, platform time'),
  fault_id: z.string(),
  operation: z.string().describe('Operation of the catalogue'),
  schema_name: z.string().nullable(),
  request_id: z
    .string()
    .nullable()
    .describe('`null` for a join or a message on an open socket, which is no request'),
})
export type FaultFiring = Shape<typeof FaultFiring>

export const FaultHistory = z.object({
  firings: z.array(FaultFiring).describe('Newest first. The emulator keeps the newest 500'),
  faults: z.array(ArmedFault).describe('The faults of these firings, armed or ended'),
})
export type FaultHistory = Shape<typeof FaultHistory>

export const FaultPreview = z.object({
  operations: z.array(z.string()).describe('Operations that the fault would apply to'),
  requests_read: z
    .number()
    .describe('Number of the newest requests that were compared with the fault, at most 20'),
  request_ids: z
    .array(z.string())
    .describe('Those of them that the fault would have applied to, newest first'),
})
export type FaultPreview = Shape<typeof FaultPreview>

export const FaultsDisarmed = z.object({ disarmed: z.number() })

export const FaultCatalogue = z.object({
  operations: z.array(
    z.object({
      service: FaultService,
      operation: z.string(),
      title: z.string(),
      route: z
        .string()
        .nullable()
        .describe(
          'Method and path, e.g. `POST /groups/v1/:group_id/tenants`; `null` for operations on an open socket',
        ),
      codes: z.array(z.string()).describe('Codes of `errors` that the operation documents'),
      effects: z.array(FaultKind),
    }),
  ),
  errors: z.array(
    z.object({
      service: FaultService,
      code: z.string(),
      status: z
        .number()
        .describe(
          '101 for refusals of a join, which are replies on an open socket; TUS and S3 send the logical status instead',
        ),
      sentence: z.string().describe('When the platform answers with this error'),
    }),
  ),
})
export type FaultCatalogue = Shape<typeof FaultCatalogue>

export const FAULT_OPERATIONS = {
  'GET /faults': { summary: 'Lists the armed faults, newest first.', answer: FaultList },
  'POST /faults': { summary: 'Arms a fault.', body: FaultOrder, answer: ArmedFault, status: 201 },
  'DELETE /faults': { summary: 'Disarms all faults.', answer: FaultsDisarmed },
  'GET /faults/catalogue': {
    summary: 'Lists the operations that faults can target, and every error of the platform.',
    answer: FaultCatalogue,
  },
  'GET /faults/history': {
    summary: 'Lists when faults fired and on which request, also after they ended.',
    query: z.strictObject({ limit: QueryNumber.min(1).max(500).default(100) }),
    answer: FaultHistory,
  },
  'POST /faults/preview': {
    summary: 'Shows what a fault would apply to, without arming it. Ignores its probability.',
    body: FaultOrder,
    answer: FaultPreview,
  },
  'DELETE /faults/:id': { summary: 'Disarms a fault.', answer: ArmedFault },
} as const satisfies OperationTable
