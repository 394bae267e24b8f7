// Query plans: EXPLAIN of one statement as an identity, with the conditions that come from policies.
import { z } from 'zod'
import { IdentityReference } from './identities.ts'
import type { OperationTable, Shape } from './operation.ts'
import { SqlFailure } from './sql-console.ts'

export const PlanRequest = z.strictObject({
  sql: z.string().max(1_048_576).describe('One statement, with or without EXPLAIN before it'),
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
  self_ms: z.number().describe('Time of all loops, without the nodes below'),
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
  total_cost: z.number(),
  self_cost: z.number().describe('Cost without the nodes below'),
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

export const PLAN_OPERATIONS = {
  'POST /projects/:ref/sql/plan': {
    summary: 'Explains one statement as the owner or as an identity.',
    body: PlanRequest,
    answer: PlanAnswer,
  },
} as const satisfies OperationTable
