// Adds values to a policy's tree and marks the parts that decide the verdict: the fewest parts that prove it, in the order of
// evaluation. Pure.
// - AND: if true, all parts decide; if false, the first false part; if null, the first null part.
// - OR: if true, the first true part decides; if false or null, all parts.
// - Error: the first part that raised it decides.
// - Clause that allows a row: the first true permissive policy and all restrictive policies decide.
// - Clause that refuses a row: all permissive policies decide if none is true, else the first restrictive policy that is not
//   true.
import type {
  ClauseVerdict,
  ConditionLeaf,
  ConditionNode,
  PolicyVerdict,
  TruthValue,
} from '../../../contract/explain.ts'
import { type AskedClause, type AskedPolicy, clauseValue } from './clauses.ts'
import type { Condition, Leaf } from './split-expression.ts'
import { allOf, anyOf, negated } from './truth.ts'

/** Result of evaluating a leaf. judgeClause adds `decided`. */
export type LeafValue = Omit<ConditionLeaf, 'kind' | 'text' | 'decided' | 'operator'>

export type LeafAnswers = (leaf: Leaf) => LeafValue

/** Adds values to a tree. Marks no parts as deciding. */
export function valued(condition: Condition, answerFor: LeafAnswers): ConditionNode {
  if (condition.kind === 'leaf') {
    const { text, operator } = condition
    return { kind: 'leaf', text, operator, decided: false, ...answerFor(condition) }
  }
  const { kind, text } = condition
  const children = condition.children.map((child) => valued(child, answerFor))
  return { kind, text, children, decided: false, value: joined(kind, children) }
}

/**
 * Computes a clause's verdict from the trees of its policies.
 * @param known the clause's value as evaluated by Postgres, if the leaves do not determine it
 */
export function judgeClause(
  clause: AskedClause,
  treeOf: (policy: AskedPolicy) => ConditionNode,
  known?: TruthValue,
): ClauseVerdict {
  const trees = new Map(clause.policies.map((policy) => [policy, treeOf(policy)]))
  const truthFor = (policy: AskedPolicy): TruthValue => trees.get(policy)?.value ?? 'false'
  const value = known ?? clauseValue(clause, truthFor)
  const deciding = decidingPolicies(clause, value, truthFor)
  const policies = [...trees].map(([policy, tree]): PolicyVerdict => {
    const decided = deciding.has(policy)
    const { name, permissive, text } = policy
    return {
      name,
      permissive,
      value: tree.value,
      decided,
      text,
      tree: decided ? proven(tree) : tree,
    }
  })
  const { clause: asked, command, of } = clause
  return { clause: asked, command, of, value, allowed: value === 'true', policies }
}

/** Returns the leaves marked as deciding, in the order of the text. */
export function decidedLeaves(tree: ConditionNode): readonly ConditionLeaf[] {
  if (tree.kind === 'leaf') return tree.decided ? [tree] : []
  return tree.children.flatMap(decidedLeaves)
}

function decidingPolicies(
  { policies }: AskedClause,
  value: TruthValue,
  truthFor: (policy: AskedPolicy) => TruthValue,
): ReadonlySet<AskedPolicy> {
  const permissive = policies.filter((policy) => policy.permissive)
  const restrictive = policies.filter((policy) => !policy.permissive)
  const firstTrue = permissive.find((policy) => truthFor(policy) === 'true')
  if (value === 'true')
    return new Set([...(firstTrue === undefined ? permissive : [firstTrue]), ...restrictive])
  if (value === 'error')
    return new Set(policies.filter((policy) => truthFor(policy) === 'error').slice(0, 1))
  if (firstTrue === undefined) return new Set(permissive)
  return new Set(restrictive.filter((policy) => truthFor(policy) !== 'true').slice(0, 1))
}

function joined(kind: 'and' | 'or' | 'not', children: readonly ConditionNode[]): TruthValue {
  const values = children.map(({ value }) => value)
  if (kind === 'and') return allOf(values)
  return kind === 'or' ? anyOf(values) : negated(values[0] ?? 'null')
}

function proven(node: ConditionNode): ConditionNode {
  if (node.kind === 'leaf') return { ...node, decided: true }
  const proof = proofOf(node)
  return {
    ...node,
    decided: true,
    children: node.children.map((child) => (proof.has(child) ? proven(child) : child)),
  }
}

function proofOf({
  kind,
  value,
  children,
}: Exclude<ConditionNode, ConditionLeaf>): ReadonlySet<ConditionNode> {
  const first = (wanted: TruthValue) =>
    new Set(children.filter((child) => child.value === wanted).slice(0, 1))
  if (value === 'error') return first('error')
  if (kind === 'and') return value === 'true' ? new Set(children) : first(value)
  if (kind === 'or') return value === 'true' ? first('true') : new Set(children)
  return new Set(children)
}
