// What has to be evaluated to explain clauses: each leaf once, however many policies have it, and when wanted what it
// compares and how many rows its subquery finds. Pure.
import type { SqlParser } from '../../control/sql-console/parser.ts'
import type { AskedClause } from './clauses.ts'
import { type Condition, type Leaf, splitExpression } from './split-expression.ts'

export interface ConditionPlan {
  /** By the policy's expression. */
  readonly conditions: ReadonlyMap<string, Condition>
  /** Select list entries. */
  readonly expressions: readonly string[]
  /** By the leaf's text: where its value stands among the expressions, its operands' values, its subquery's count. */
  readonly places: ReadonlyMap<string, LeafPlaces>
}

export interface LeafPlaces {
  readonly leaf: Leaf
  readonly value: number
  /** Empty unless details are wanted. */
  readonly operands: readonly number[]
  readonly count: number | undefined
}

export function planConditions(
  parser: SqlParser,
  clauses: readonly AskedClause[],
  isDetailed: boolean,
): ConditionPlan {
  const conditions = new Map<string, Condition>()
  const expressions: string[] = []
  const places = new Map<string, LeafPlaces>()
  const add = (expression: string): number => expressions.push(expression) - 1
  for (const { policies } of clauses)
    for (const { text } of policies) {
      if (conditions.has(text)) continue
      const condition = splitExpression(parser, text)
      conditions.set(text, condition)
      for (const leaf of leavesOf(condition)) {
        if (places.has(leaf.text)) continue
        const value = add(`(${leaf.text})`)
        const operands = isDetailed
          ? leaf.operands.map((operand) => add(`(${operand.text})::pg_catalog.text`))
          : []
        const count = isDetailed && leaf.subquery !== null ? add(countOf(leaf.subquery)) : undefined
        places.set(leaf.text, { leaf, value, operands, count })
      }
    }
  return { conditions, expressions, places }
}

export function leavesOf(condition: Condition): readonly Leaf[] {
  return condition.kind === 'leaf' ? [condition] : condition.children.flatMap(leavesOf)
}

function countOf(query: string): string {
  return `(select pg_catalog.count(*) from (${query}) as found)`
}
