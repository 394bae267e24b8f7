// Marks the conditions of a plan that policies added: conditions that the same statement does not have when its role bypasses
// policies. Compares two plans instead of comparing conditions with the texts of policies, because the planner inlines functions
// and folds constants. Pure.
import type { PlanNode } from '../../../contract/query-plans.ts'

/**
 * @param policiesOf returns the policies of a relation that apply to the identity
 * @param bypassing the plan of the same statement by a role that bypasses policies
 */
export function markPolicies(
  nodes: readonly PlanNode[],
  bypassing: readonly PlanNode[],
  policiesOf: (relation: string) => readonly string[],
): readonly PlanNode[] {
  const own = new Set(
    bypassing.flatMap((node) => node.conditions.flatMap(({ text }) => partsOf(text).map(plain))),
  )
  const marked: PlanNode[] = []
  const subplans = new Set<string>()
  for (const node of nodes) {
    const parent = node.parent === null ? undefined : marked[node.parent]
    const isPolicy =
      parent?.is_policy === true || (node.subplan !== null && subplans.has(node.subplan))
    const conditions = node.conditions.flatMap(({ kind, text }) => split(kind, text, own))
    for (const { text, is_policy } of conditions)
      if (is_policy) for (const [name] of text.matchAll(SUBPLAN)) subplans.add(name)
    marked.push({ ...node, is_policy: isPolicy, conditions })
  }
  return marked.map((node, index) => ({
    ...node,
    policies: node.conditions.some(({ is_policy }) => is_policy)
      ? relationsOf(marked, index).flatMap(policiesOf)
      : [],
  }))
}

const SUBPLAN = /(?:Sub|Init)Plan \d+/g

/** Separates the parts of a condition that policies added from the statement's own parts. */
function split(kind: string, text: string, own: ReadonlySet<string>): PlanNode['conditions'] {
  const parts = partsOf(text)
  const added = parts.filter((part) => !own.has(plain(part)))
  if (added.length === 0) return [{ kind, text, is_policy: false }]
  const stated = parts.filter((part) => own.has(plain(part)))
  return [
    ...(stated.length === 0 ? [] : [{ kind, text: stated.join(' AND '), is_policy: false }]),
    { kind, text: added.join(' AND '), is_policy: true },
  ]
}

// Returns the relations to which a node's condition can belong. Postgres moves a policy that depends on no row to a node above
// the scan.
function relationsOf(nodes: readonly PlanNode[], index: number): readonly string[] {
  const relation = nodes[index]?.relation
  if (relation !== null && relation !== undefined) return [relation]
  const depth = nodes[index]?.depth ?? 0
  const end = nodes.findIndex((node, at) => at > index && node.depth <= depth)
  const below = nodes.slice(index + 1, end === -1 ? undefined : end)
  return [...new Set(below.flatMap((node) => node.relation ?? []))]
}

/** Makes texts of two plans comparable: numbers of subplans and aliases differ, and sides of an equation may be swapped. */
function plain(part: string): string {
  const text = part.replaceAll(SUBPLAN, 'SubPlan').replaceAll(/\b([a-z_]\w*?)_\d+\./g, '$1.')
  const sides = /^\(?([\w.]+) = ([\w.]+)\)?$/.exec(text)
  return sides === null ? text : sides.slice(1).toSorted().join(' = ')
}

/** Returns the parts that AND joins at the top of a condition, without the parentheses around all of them. */
export function partsOf(text: string): readonly string[] {
  const inner = unwrapped(text)
  const parts: string[] = []
  let start = 0
  for (const at of topLevel(inner))
    if (at >= start && inner.startsWith(' AND ', at)) {
      parts.push(inner.slice(start, at))
      start = at + ' AND '.length
    }
  return start === 0 ? [text] : [...parts, inner.slice(start)]
}

function unwrapped(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  const isWhole = [...topLevel(text)].every((at) => at === 0 || at === text.length)
  return isWhole ? text.slice(1, -1) : text
}

/** Yields the positions outside parentheses and quotes. */
function* topLevel(text: string): Generator<number> {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (quote === '' && depth === 0) yield at
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === "'" || character === '"') quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
  }
}
