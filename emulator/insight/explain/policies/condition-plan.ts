// Lists the expressions to evaluate for explaining clauses. A leaf is an expression without AND, OR or NOT; each distinct
// leaf is evaluated once. If details are requested, also evaluates what a leaf compares and counts the rows of a leaf's
// subquery. Pure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { AskedClause } from './clauses.ts'
import { type Condition, type Leaf, splitExpression } from './split-expression.ts'

export interface ConditionPlan {
  /** Split expressions, by the policy's text. */
  readonly conditions: ReadonlyMap<string, Condition>
  /** Expressions to evaluate, as entries of a select list. */
  readonly expressions: readonly string[]
  /** By the leaf's text: the indexes in `expressions` of its value, its operands and its subquery's row count. */
  readonly places: ReadonlyMap<string, LeafPlaces>
}

export interface LeafPlaces {
  readonly leaf: Leaf
  readonly value: number
  /** Indexes of the operands; empty if no details were requested. */
  readonly operands: readonly number[]
  readonly count: number | undefined
}

/** Splits a policy's expression into conditions. */
export type Split = (text: string) => Condition

export function planConditions(
  split: Split,
  clauses: readonly AskedClause[],
  isDetailed: boolean,
): ConditionPlan {
  const texts = new Set(clauses.flatMap(({ policies }) => policies.map(({ text }) => text)))
  const conditions = new Map([...texts].map((text) => [text, split(text)]))
  const leaves = new Map(
    [...conditions.values()].flatMap(leavesOf).map((leaf) => [leaf.text, leaf]),
  )
  const expressions: string[] = []
  const add = (expression: string): number => expressions.push(expression) - 1
  const places = new Map(
    [...leaves].map(([text, leaf]): [string, LeafPlaces] => {
      const value = add(`(${text})`)
      if (!isDetailed) return [text, { leaf, value, operands: [], count: undefined }]
      const operands = leaf.operands.map(({ text: operand }) => add(textOf(operand)))
      const count = leaf.subquery === null ? undefined : add(countOf(leaf.subquery))
      return [text, { leaf, value, operands, count }]
    }),
  )
  return { conditions, expressions, places }
}

/** Returns a Split that caches its results, because the same policies are explained many times. */
export function rememberingSplit(parser: SqlParser): Split {
  const known = new Map<string, Condition>()
  return (text) => {
    const condition = known.get(text) ?? splitExpression(parser, text)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(text, condition)
    return condition
  }
}

const MAX_REMEMBERED = 2_000

/** Keeps the expression in one part. Used when parts of the expression cannot be evaluated alone. */
export function keepWhole(text: string): Condition {
  return { kind: 'leaf', text, operator: null, operands: [], subquery: null }
}

export function leavesOf(condition: Condition): readonly Leaf[] {
  return condition.kind === 'leaf' ? [condition] : condition.children.flatMap(leavesOf)
}

function textOf(operand: string): string {
  return `(${operand})::pg_catalog.text`
}

function countOf(query: string): string {
  return `(select pg_catalog.count(*) from (${query}) as found)`
}
