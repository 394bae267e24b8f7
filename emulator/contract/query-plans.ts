// Query plans: EXPLAIN of one statement as an identity, with the conditions that come from policies.
import { z } from 'zod'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { SqlFailure, SqlParameters } from './sql-console.ts'

export const PlanRequest = z.strictObject({
  sql: z.string().max(1_048_576).describe('One statement, with or without EXPLAIN before it'),
  parameters: SqlParameters,
  identity: z.union([z.literal('owner'), IdentityReference]),
  analyze: z
    .boolean()
    .default(false)
    .describe('Runs the statement, measures it, and rolls it back'),
  timeout_ms: z.number().int().min(1).max(120_000).default(30_000),
})
export type PlanRequest = Shape<typeof PlanRequest>

export const PlanCondition = z.object({
  kind: z.string().describe('e.g. `Filter`, `Index Cond`'),
  text: z
    .string()
    .describe('In the format of Postgres, with `auth.uid()` instead of its inlined body'),
  is_policy: z.boolean().describe('Whether policies added this condition'),
})
export type PlanCondition = Shape<typeof PlanCondition>

export const PlanMeasure = z.object({
  rows: z.number().describe('Rows in one loop'),
  loops: z.number(),
  total_ms: z.number().describe('Time of all loops, with the nodes below'),
  self_ms: z
    .number()
    .describe(
      'Time of all loops, without the nodes below. The times of all nodes add up to at most `total_ms` of the first node',
    ),
})
export type PlanMeasure = Shape<typeof PlanMeasure>

export const PlanNode = z.object({
  parent: z.number().nullable().describe('Index of the parent in the list of nodes'),
  depth: z.number(),
  type: z.string().describe('e.g. `Seq Scan`'),
  relation: z.string().nullable(),
  alias: z.string().nullable(),
  index: z.string().nullable(),
  subplan: z.string().nullable().describe('e.g. `SubPlan 1`'),
  startup_cost: z.number(),
  total_cost: z.number().describe('Estimated cost of one execution, with the nodes below'),
  whole_cost: z
    .number()
    .describe(
      'Estimated cost of all executions, with the nodes below, at most the cost of the parent',
    ),
  self_cost: z
    .number()
    .describe(
      'Part of `whole_cost` without the nodes below. The parts of all nodes add up to the cost of the statement',
    ),
  rows: z.number().describe('Estimated number of rows'),
  measured: PlanMeasure.nullable(),
  rows_removed: z.number().nullable().describe('Rows that conditions removed in all loops'),
  conditions: z.array(PlanCondition),
  is_policy: z.boolean().describe('Whether the node belongs to a subquery of a policy'),
  policies: z
    .array(z.string())
    .describe('Policies of the relation that apply, for a node with a condition of policies'),
  details: z.record(z.string(), z.string()).describe('e.g. `Sort Key`, `Join Type`'),
})
export type PlanNode = Shape<typeof PlanNode>

export const PlanAnswer = z.object({
  nodes: z.array(PlanNode).describe('Each node after its parent; empty after an error'),
  planning_ms: z.number().nullable(),
  execution_ms: z.number().nullable(),
  cost_without_policies: z
    .number()
    .nullable()
    .describe('Total cost of the same statement without policies; `null` where it is unknown'),
  json: z.string().describe('The output of EXPLAIN (FORMAT JSON)'),
  error: SqlFailure.nullable(),
})
export type PlanAnswer = Shape<typeof PlanAnswer>

export const PlanEffect = z.object({
  rows_read: z
    .number()
    .nullable()
    .describe('Rows that scans of tables read; `null` for a statement that did not run'),
  execution_ms: z.number().nullable(),
  cost: z.number().describe('Estimated total cost'),
})
export type PlanEffect = Shape<typeof PlanEffect>

export const PlanAdvice = z.object({
  kind: z
    .enum(['index', 'policy_call', 'statistics'])
    .describe(
      '`policy_call`: a policy calls a function for each row. `statistics`: the planner expects other numbers of rows',
    ),
  title: z.string().describe('e.g. `Index visits by owner`'),
  reason: z.string(),
  sql: z.string().describe("Statements of the project's owner"),
  after: PlanEffect.nullable().describe('`null` when the statement could not be measured'),
  helps: z.boolean().describe('Whether the statement reads fewer rows or needs less time'),
  error: z.string().nullable().describe('Why it was not measured'),
})
export type PlanAdvice = Shape<typeof PlanAdvice>

export const AdviceRequest = PlanRequest.omit({ analyze: true })
export type AdviceRequest = Shape<typeof AdviceRequest>

export const AdviceAnswer = z
  .object({
    before: PlanEffect.nullable(),
    advice: z.array(PlanAdvice).describe('The advice with which the statement reads least first'),
    not_tried: z.number().describe('Changes that were not tried, because the statement takes long'),
    error: SqlFailure.nullable(),
  })
  .describe(
    'Measured: the emulator applies each change in a transaction, explains the statement again and rolls back. A statement that writes does not run; its costs are estimates',
  )
export type AdviceAnswer = Shape<typeof AdviceAnswer>

export const RequestPlan = z.object({
  project: z.string().describe('Slug'),
  statement: z.string().describe('The statement of the request, formatted'),
  parameters: z
    .array(z.string().nullable())
    .nullable()
    .describe('Values of `$1`, `$2` …; `null` when the journal does not have them'),
  identity: z.object({ reference: IdentityReference, label: z.string() }),
  plan: PlanAnswer.describe(
    'Measured for a request that reads. Otherwise estimated, and for any values where `parameters` is `null`',
  ),
})
export type RequestPlan = Shape<typeof RequestPlan>

export const REQUEST_PLAN_OPERATIONS = {
  'GET /journal/:request_id/plan': {
    summary: 'Explains the statement of a request with its values, as the identity that sent it.',
    answer: RequestPlan,
  },
} as const satisfies OperationTable

export const ADVICE_OPERATIONS = {
  'POST /projects/:ref/sql/advice': {
    summary:
      'Finds indexes and changes of policies for one statement, and measures each in a transaction that is rolled back.',
    body: AdviceRequest,
    answer: AdviceAnswer,
  },
} as const satisfies OperationTable

export const PLAN_OPERATIONS = {
  'POST /projects/:ref/sql/plan': {
    summary: 'Explains one statement as the owner or as an identity.',
    body: PlanRequest,
    answer: PlanAnswer,
  },
} as const satisfies OperationTable
