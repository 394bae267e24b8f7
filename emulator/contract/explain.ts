// Explanations: why a policy shows, hides, accepts or refuses a row, and why a recorded request was refused.
import { z } from 'zod'
import { CHAIN_LINKS } from '../core/refusals.ts'
import { AUDIT_RULES } from './choices.ts'
import { Identity, IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import {
  Cells,
  NewRow,
  RowColumn,
  RowCommand,
  RowFilter,
  RowOrder,
  ShownCells,
  StorableText,
} from './values.ts'

/** A table or view of a project. */
export const Relation = StorableText.min(1)
  .max(200)
  .describe("Table or view of the tenant's schema, without the schema's name")
const Offset = z.number().int().min(0).max(1_000_000_000).default(0)

export const ExplainRequest = z.strictObject({
  relation: Relation,
  identity: IdentityReference,
  command: RowCommand,
  keys: z
    .exactOptional(z.array(Cells).max(10_000))
    .describe(
      'Judges only the rows with these primary keys. Without a primary key, give every column',
    ),
  new_row: z.exactOptional(NewRow),
  limit: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .describe('Maximum number of rows in the answer; rows beyond 16 MB are left out'),
  offset: Offset,
  order: z.array(RowOrder).max(20).default([]),
  filters: z.array(RowFilter).max(50).default([]).describe('A row must satisfy all filters'),
  detail: z
    .enum(['verdicts', 'full'])
    .default('full')
    .describe('`verdicts` leaves out sentences, trees and leaves, for long lists'),
})
export type ExplainRequest = Shape<typeof ExplainRequest>

export const TableVerdict = z
  .enum([
    'policies_decide',
    'bypasses_policies',
    'rls_off',
    'missing_grant',
    'closed_table',
    'no_policy',
    'unknown_relation',
    'view',
    'error',
  ])
  .describe('The verdict for the whole table, which comes before the verdicts of rows')
export type TableVerdict = Shape<typeof TableVerdict>

export const TruthValue = z
  .enum(['true', 'false', 'null', 'error'])
  .describe('Three-valued logic, or an error')
export type TruthValue = Shape<typeof TruthValue>

export const Operand = z.object({
  text: z.string(),
  value: z
    .string()
    .nullable()
    .describe('The value as text in the format of Postgres; `null` is the NULL of SQL'),
  from: z.enum(['row', 'identity', 'constant', 'expression']).describe('Source of the value'),
})
export type Operand = Shape<typeof Operand>

export const ConditionLeaf = z.object({
  kind: z.literal('leaf'),
  text: z.string().describe('The expression in the format of Postgres'),
  value: TruthValue,
  decided: z.boolean().describe('Whether a different value of this leaf would reverse the verdict'),
  operator: z.string().nullable(),
  operands: z
    .array(Operand)
    .describe(
      'The compared values, in the order of the expression; empty for a bare value or a subquery',
    ),
  error: z.string().nullable().describe('Message of the error, if the expression raised an error'),
  note: z.string().nullable().describe('e.g. `the subquery finds 0 rows as this identity`'),
})
export type ConditionLeaf = Shape<typeof ConditionLeaf>

const ConditionBranch = z.object({
  kind: z.enum(['and', 'or', 'not']),
  text: z.string(),
  value: TruthValue,
  decided: z.boolean(),
  get children(): z.ZodArray<typeof ConditionNode> {
    return z.array(ConditionNode)
  },
})

/** A condition as a tree of AND, OR and NOT with expressions as leaves. */
export const ConditionNode = z.discriminatedUnion('kind', [ConditionBranch, ConditionLeaf])
export type ConditionNode = Shape<typeof ConditionNode>

export const PolicyVerdict = z.object({
  name: z.string(),
  permissive: z.boolean(),
  value: TruthValue,
  decided: z.boolean().describe('Whether this policy decided the clause'),
  text: z.string().describe('The whole expression in the format of Postgres'),
  tree: ConditionNode,
})
export type PolicyVerdict = Shape<typeof PolicyVerdict>

export const ClauseVerdict = z
  .object({
    clause: z.enum(['using', 'check']),
    command: RowCommand.describe(
      'The command of these policies. An UPDATE that reads rows also needs the policies of SELECT',
    ),
    of: z
      .enum(['old_row', 'new_row'])
      .describe('Whether the clause judges the present row or the row after the change'),
    value: TruthValue,
    allowed: z.boolean(),
    policies: z.array(PolicyVerdict),
  })
  .describe(
    'Policies of one clause, combined as Postgres does: (permissive OR …) AND restrictive AND …',
  )
export type ClauseVerdict = Shape<typeof ClauseVerdict>

export const RowVerdict = z.object({
  key: z
    .record(z.string(), z.string().nullable())
    .describe(
      'Primary key columns, or all columns of a table without a key; texts in the format of Postgres',
    ),
  row: ShownCells.describe('Every column as text in the format of Postgres'),
  new_row: z
    .record(z.string(), z.string().nullable())
    .nullable()
    .describe('UPDATE and INSERT: the new row'),
  allowed: z.boolean(),
  reason: z.string().describe('Short, e.g. `own_patients: clinic_id = … is false`'),
  sentence: z
    .string()
    .describe(
      'One or two sentences of explanation; empty with detail `verdicts` where policies decide',
    ),
  deciding: z.array(z.string()).describe('Names of the policies that decided'),
  clauses: z
    .array(ClauseVerdict)
    .describe(
      'SELECT and DELETE evaluate `using`, INSERT `check`, UPDATE both; empty with detail `verdicts`',
    ),
})
export type RowVerdict = Shape<typeof RowVerdict>

export const PolicyState = z.object({
  name: z.string(),
  permissive: z.boolean(),
  command: z
    .union([z.literal('all'), RowCommand])
    .describe('`all`, or the one command to which the policy applies'),
  roles: z.array(z.string()),
  using: z
    .string()
    .nullable()
    .describe('The expressions of USING and WITH CHECK are in the format of Postgres'),
  check: z.string().nullable(),
  applies: z.boolean(),
  skipped_because: z.enum(['command', 'role']).nullable().describe('Why the policy does not apply'),
})
export type PolicyState = Shape<typeof PolicyState>

// cspell:ignore mend
/** Members of every answer that suggests a fix. `mend` is the former name of `suggested_fix`. */
const FIX_MEMBERS = {
  suggested_fix: z.string().nullable().describe('SQL that fixes it, or `null` when no SQL does'),
  mend: z
    .string()
    .nullable()
    .meta({ deprecated: true, description: 'The former name of `suggested_fix`, with its value' }),
}

/** Returns the members of an answer that suggests `sql`. */
export function fixMembers(sql: string | null): Shape<z.ZodObject<typeof FIX_MEMBERS>> {
  return { suggested_fix: sql, mend: sql }
}

export const Explanation = z.object({
  identity: Identity,
  relation: z.string(),
  command: RowCommand,
  table: z.object({
    verdict: TableVerdict,
    sentence: z.string().describe('The meaning of the verdict, in one sentence'),
    ...FIX_MEMBERS,
    rls_enabled: z.boolean(),
    rls_forced: z.boolean(),
    grants: z
      .array(z.string())
      .describe(
        'Privileges of the role on the table, e.g. `SELECT`; column grants as `SELECT (name)`',
      ),
  }),
  columns: z.array(RowColumn).describe("Columns in the table's order"),
  rows: z.array(RowVerdict),
  total: z.number().describe('Number of matching rows on all pages'),
  allowed_total: z.exactOptional(
    z
      .number()
      .describe(
        'Number of allowed rows among `total`; absent when more than 10,000 rows would have to be judged one by one',
      ),
  ),
  policies: z
    .array(PolicyState)
    .describe('Policies of the table, and whether each applies to this command and role'),
  duration_ms: z.number().describe('Wall-clock milliseconds'),
})
export type Explanation = Shape<typeof Explanation>

export const MatrixRequest = z.strictObject({
  relation: Relation,
  command: z.enum(['select', 'update', 'delete']),
  identities: z.array(IdentityReference).min(1).max(200),
  keys: z.exactOptional(z.array(Cells).max(1_000)),
  limit: z.number().int().min(0).max(1_000).default(50),
  offset: Offset,
})
export type MatrixRequest = Shape<typeof MatrixRequest>

export const VerdictMatrix = z.object({
  identities: z.array(Identity),
  rows: z.array(
    z.object({
      key: ShownCells,
      row: ShownCells,
      cells: z
        .array(z.object({ allowed: z.boolean(), reason: z.string() }))
        .describe('One verdict for each identity, in the order of `identities`'),
    }),
  ),
  total: z.number(),
  duration_ms: z.number(),
})
export type VerdictMatrix = Shape<typeof VerdictMatrix>

/** Former codes of warnings. Warnings now have the names of the audit's rules. */
const FORMER_CODES = [
  'rls_off_reachable_by_anon',
  'rls_off',
  'rls_on_no_policy',
  'realtime_cannot_evaluate',
  'policy_without_role',
  'always_true',
  'view_bypasses_policies',
] as const

export const PolicyWarning = z.object({
  rule: z.enum(AUDIT_RULES).describe('The rule of the audit'),
  severity: z.enum(['error', 'warning']),
  code: z
    .enum([...FORMER_CODES, ...AUDIT_RULES])
    .meta({ deprecated: true, description: 'The former name of the rule, or `rule`' }),
  object: z.string().describe('e.g. `policy team on notes`'),
  sentence: z.string(),
  safer: z.string().nullable().describe('SQL or advice that removes the risk'),
  ...FIX_MEMBERS,
})
export type PolicyWarning = Shape<typeof PolicyWarning>

export const PolicyOverview = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      rls_enabled: z.boolean(),
      rls_forced: z.boolean(),
      is_closed: z.boolean(),
      grants: z
        .record(z.string(), z.array(z.string()))
        .describe(
          'Commands granted on the whole table, for each of `anon`, `authenticated` and `service_role`',
        ),
      policies: z.array(PolicyState.omit({ applies: true, skipped_because: true })),
      warnings: z
        .array(PolicyWarning)
        .describe(
          'Open findings of the audit that follow from definitions, without those from rows',
        ),
    }),
  ),
  function_warnings: z.array(PolicyWarning).describe('Findings about functions'),
})
export type PolicyOverview = Shape<typeof PolicyOverview>

export const ChainLink = z.object({
  link: z.enum(CHAIN_LINKS),
  state: z.enum(['holds', 'broken', 'unknown', 'not_needed']),
  title: z.string(),
  sentence: z.string(),
  facts: z
    .record(z.string(), z.string())
    .describe('Facts of the link, e.g. the decoded claims that matter'),
})
export type ChainLink = Shape<typeof ChainLink>

export const ChangeSince = z.object({
  sentence: z
    .string()
    .describe('e.g. `The row id=1 of notes had state booked until request req_…, 1 minute later.`'),
  request_id: z.string().nullable().describe('The request that made the change'),
})
export type ChangeSince = Shape<typeof ChangeSince>

export const AccessChain = z
  .object({
    request_id: z.string(),
    status: z.number(),
    as_of: z
      .enum(['request', 'refusal', 'now'])
      .describe(
        '`request`: explained with the policies and rows just before the request, from the history; `refusal`: explained when the request was refused; `now`: explained with the present policies, rows and users',
      ),
    basis: z
      .string()
      .nullable()
      .describe(
        'Which policies and rows the explanation is about, and what of them is not known; `null` when it is about no rows',
      ),
    changed_since: z
      .array(ChangeSince)
      .describe('With `request`: what changed after the request and concerns it'),
    links: z
      .array(ChainLink)
      .describe('Links in the order of checks; a link that was not reached is `unknown`'),
    sentence: z.string().describe('Why the request was refused'),
    incomplete: z
      .string()
      .nullable()
      .describe(
        'What the explanation does not know, and why; `null` when it knows all that it needs',
      ),
    ...FIX_MEMBERS,
    explain: ExplainRequest.nullable().describe(
      'The next question to ask, e.g. a table viewed as this identity',
    ),
  })
  .describe('A request as a chain of checks. The first broken link is the reason of the refusal')
export type AccessChain = Shape<typeof AccessChain>

export const EXPLAIN_OPERATIONS = {
  'GET /projects/:ref/policies': {
    summary: 'Lists the policies of all tables, with warnings.',
    answer: PolicyOverview,
  },
  'POST /projects/:ref/explain': {
    summary: 'Explains why each row is visible or not.',
    body: ExplainRequest,
    answer: Explanation,
  },
  'POST /projects/:ref/explain/matrix': {
    summary: 'Judges rows for many identities.',
    body: MatrixRequest,
    answer: VerdictMatrix,
  },
} as const satisfies OperationTable

export const CHAIN_OPERATIONS = {
  'GET /journal/:request_id/chain': {
    summary: 'Explains the response to a request, link by link.',
    query: z.object({
      as_of: z
        .enum(['request', 'refusal', 'now'])
        .default('request')
        .describe(
          'Which state to explain with. `request` falls back to `now` when the history does not cover the request, `refusal` to `now` when the explanation is no longer kept, and both `request` and `now` to `refusal` when the project or the recording of the request is gone',
        ),
    }),
    answer: AccessChain,
  },
} as const satisfies OperationTable
