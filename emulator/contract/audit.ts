// The audit of a tenant. The audit counts the rows of each table that each identity sees, and reports what they prove about
// policies and grants. Another operation tests whether identities of one tenant reach the data of another tenant.
import { z } from 'zod'
import { AUDIT_RULES } from './choices.ts'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { Role, ShownCells } from './values.ts'

export const AuditBaseline = z
  .record(z.string(), z.record(z.string(), z.string().max(4_096)))
  .describe('For each table and the label of each identity: the `baseline` of the cell')
export type AuditBaseline = Shape<typeof AuditBaseline>

export const AuditOrder = z.strictObject({
  users: z
    .number()
    .int()
    .min(0)
    .max(200)
    .default(20)
    .describe(
      'Maximum number of users to ask as: those whose `app_metadata` differ, then the newest',
    ),
  baseline: z
    .exactOptional(AuditBaseline)
    .describe('Reports each cell that differs from an earlier audit'),
})
export type AuditOrder = Shape<typeof AuditOrder>

export const AuditSeen = z
  .enum(['all', 'some', 'none', 'refused', 'failed'])
  .describe(
    '`refused`: the role has no SELECT. `failed`: reading raises an error, such as a policy that calls itself',
  )
export type AuditSeen = Shape<typeof AuditSeen>

export const AuditCell = z.object({
  seen: AuditSeen,
  rows: z.number().nullable().describe('Number of visible rows; `null` when nothing can be read'),
  reason: z.string().nullable().describe('Why nothing can be read'),
  baseline: z
    .string()
    .describe('What the identity sees, in a form that later audits compare: count and rows'),
})
export type AuditCell = Shape<typeof AuditCell>

export const AuditIdentity = z.object({
  reference: IdentityReference,
  label: z
    .string()
    .describe('`anon`, `new user` (signed in, owns nothing), an e-mail address or `service_role`'),
  role: Role,
})
export type AuditIdentity = Shape<typeof AuditIdentity>

export const AuditTable = z.object({
  name: z.string(),
  kind: z.enum(['table', 'partitioned_table', 'view', 'materialized_view', 'foreign_table']),
  rls_enabled: z.boolean(),
  policies: z.number().describe('Number of policies of all roles, including service_role'),
  total: z
    .number()
    .nullable()
    .describe('Number of rows; of a view, those that service_role sees. `null` when unknown'),
  cells: z.array(AuditCell).describe('One cell for each identity, in the order of `identities`'),
})
export type AuditTable = Shape<typeof AuditTable>

export const AuditProof = z
  .object({
    identity: z.string().describe('Label of the identity that sends the request'),
    url: z.string(),
    status: z.number().describe('HTTP status of the answer'),
    row: ShownCells.nullable().describe('A row of the answer; `null` when the answer has none'),
    curl: z
      .string()
      .describe('The request as a shell command. Its minted token expires after one hour'),
    command: z
      .string()
      .describe('The same request with the variables of `tenantry env`, which contains no key'),
  })
  .describe('A REST request that the audit sent, and what it returned')
export type AuditProof = Shape<typeof AuditProof>

export const AuditFinding = z.object({
  rule: z.enum(AUDIT_RULES),
  severity: z
    .enum(['error', 'warning'])
    .describe('The same as in `migrate lint`. A proof shows that rows can be read at present'),
  object: z.string().describe('e.g. `policy everyone_sees_treatments on treatments`'),
  cause: z
    .string()
    .describe(
      'What one change removes. Findings of all tenants with the same rule and cause belong together',
    ),
  table: z.string().nullable(),
  identity: z.string().nullable().describe('Label of the identity that the finding is about'),
  message: z.string(),
  safer: z.string().nullable().describe('SQL or advice that removes the risk'),
  accepted: z
    .string()
    .nullable()
    .describe('The reason in the comment that accepts the finding; `null` for open findings'),
  proof: AuditProof.nullable(),
  no_proof: z.string().nullable().describe('Why there is no proof; `null` with a proof'),
})
export type AuditFinding = Shape<typeof AuditFinding>

export const AuditBucket = z.object({
  name: z.string().describe('Full name'),
  is_public: z.boolean(),
  bytes: z.number().describe('Size of all files'),
  access: z
    .array(z.enum(['none', 'read', 'write', 'administer']))
    .describe(
      'One value for each identity, in the order of `identities`. `write` includes `read`: every file of the bucket, because files have no owner',
    ),
})
export type AuditBucket = Shape<typeof AuditBucket>

export const Audit = z.object({
  tenant: z.string().describe('Slug of the project'),
  identities: z.array(AuditIdentity),
  tables: z.array(AuditTable).describe('Without the platform’s own `auth_*` tables'),
  buckets: z.array(AuditBucket).describe('Buckets of storage, by the platform’s rules'),
  findings: z
    .array(AuditFinding)
    .describe('Open errors first, then warnings, then accepted findings'),
  cells: z.number().describe('Number of tables × number of identities'),
  duration_ms: z.number().describe('Wall-clock milliseconds for counting the cells'),
})
export type Audit = Shape<typeof Audit>

export const AuditPart = z
  .discriminatedUnion('kind', [
    z
      .object({
        ...Audit.pick({ tenant: true, identities: true, buckets: true }).shape,
        kind: z.literal('begun'),
        tables: z.array(z.string()).describe('Names of all tables that follow'),
      })
      .describe('First line'),
    z
      .object({ kind: z.literal('table'), table: AuditTable })
      .describe('A table with the rows that each identity sees. Large tables follow small ones'),
    z.object({ kind: z.literal('audit'), audit: Audit }).describe('Last line: the whole audit'),
    z
      .object({ kind: z.literal('failed'), message: z.string() })
      .describe('Last line of an audit that could not be completed'),
  ])
  .describe('A line of the answer')
export type AuditPart = Shape<typeof AuditPart>

export const CrossingOrder = z.strictObject({
  other: z.string().describe('The tenant whose data is asked for: slug, schema name or id'),
  users: AuditOrder.shape.users,
})
export type CrossingOrder = Shape<typeof CrossingOrder>

export const Crossing = z
  .object({
    table: z.string(),
    identity: z.string(),
    way: z.enum(['rest', 'sql']),
    rows: z.number().nullable(),
    curl: z.string().nullable().describe('The request that shows it; `null` for SQL'),
  })
  .describe('A table of the other tenant that an identity could read')
export type Crossing = Shape<typeof Crossing>

export const CrossingReport = z.object({
  tenant: z.string().describe('Slug of the tenant whose identities ask'),
  other: z.string().describe('Slug of the tenant whose tables they ask for'),
  identities: z.array(AuditIdentity),
  tables: z
    .array(z.string())
    .describe('All tables and views of the other tenant, `auth_*` included'),
  cells: z.number().describe('Number of tables × number of identities'),
  crossing: z.number().describe('Number of cells where at least one way was open'),
  crossings: z.array(Crossing),
  requests: z.number().describe('REST requests and SQL statements that were tried'),
  refusals: z
    .record(z.string(), z.number())
    .describe('How often each refusal was returned, e.g. `rest 401 unauthorized`'),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
export type CrossingReport = Shape<typeof CrossingReport>

export const AUDIT_OPERATIONS = {
  'POST /projects/:ref/audit': {
    summary:
      'Counts the rows that each identity sees in each table, and finds policies, grants, functions and views that open too much.',
    body: AuditOrder,
    isBodyOptional: true,
    answer: Audit,
  },
  'POST /projects/:ref/audit/parts': {
    summary:
      'Audits as POST /projects/:ref/audit, and sends each table once it is counted: an AuditPart as JSON in each line.',
    body: AuditOrder,
    isBodyOptional: true,
    answer: ['application/x-ndjson'],
  },
  'POST /projects/:ref/audit/crossings': {
    summary:
      'Asks for every table of another tenant as every identity of this one, by REST and SQL.',
    body: CrossingOrder,
    answer: CrossingReport,
  },
} as const satisfies OperationTable
