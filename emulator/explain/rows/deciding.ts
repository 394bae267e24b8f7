// Puts values on a policy's tree and marks what the verdict hangs on. The rule is a smallest proof, in the order of
// evaluation: AND is true by all its parts, false by the first false one, null by the first null one; OR is true by the
// first true part, false or null by all of them; an error by the first part that raised. A clause lets a row through by
// its first true permissive policy and all restrictive ones; it refuses by all its permissive policies when none of them
// is true, else by the first restrictive one that is not. Pure.
import type {
  ClauseVerdict,
  ConditionLeaf,
  ConditionNode,
  PolicyVerdict,
  TruthValue,
} from '../../contract/explain.ts'
import { type AskedClause, type AskedPolicy, clauseValue } from './clauses.ts'
import type { Condition, Leaf } from './split-expression.ts'
import { allOf, anyOf, negated } from './truth.ts'

/** What evaluating a leaf gave; `decided` comes later. */
export type LeafValue = Omit<ConditionLeaf, 'kind' | 'text' | 'decided' | 'operator'>

export type LeafAnswers = (leaf: Leaf) => LeafValue

/** A tree with values, nothing decided yet. */
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
 * The clause's verdict over its policies' trees.
 * @param known what Postgres itself says of the clause, where leaves alone do not tell
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

/** The leaves that are marked, in the order of the text. */
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
