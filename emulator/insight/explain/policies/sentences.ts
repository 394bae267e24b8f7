// Writes verdicts as text: a short reason for a label, and a sentence for readers who do not know policies. Pure.
import type {
  ClauseVerdict,
  ConditionLeaf,
  Operand,
  PolicyVerdict,
} from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import { VERBS } from './clauses.ts'
import { decidedLeaves } from './deciding.ts'

export interface Words {
  /** The reason in a text that is short enough for a label. */
  readonly reason: string
  readonly sentence: string
}

/** Explains why the clauses, in the order of evaluation, allow or refuse the row. */
export function wordsOf(
  command: RowCommand,
  role: string,
  clauses: readonly ClauseVerdict[],
): Words {
  const refusing = clauses.find(({ allowed }) => !allowed)
  if (refusing !== undefined) return refusal(command, role, refusing)
  const [first] = clauses
  const policy = first?.policies.find(({ decided, permissive }) => decided && permissive)
  if (policy === undefined) return { reason: PASSED[command], sentence: 'Every policy allows it.' }
  const restrictive = clauses.flatMap(({ policies }) =>
    policies.filter(({ decided, permissive }) => decided && !permissive).map(({ name }) => name),
  )
  const also =
    restrictive.length === 0
      ? ''
      : ` The restrictive ${restrictive.join(', ')} ${restrictive.length === 1 ? 'agrees' : 'agree'}.`
  return {
    reason: `${PASSED[command]} by ${policy.name}`,
    sentence: `${policyRule(policy, command, role)} ${leafWords(policy)}${also}`.trim(),
  }
}

const PASSED: Readonly<Record<RowCommand, string>> = {
  select: 'shown',
  insert: 'accepted',
  update: 'allowed',
  delete: 'allowed',
}

const REFUSED: Readonly<Record<RowCommand, string>> = {
  select: 'hidden',
  insert: 'refused',
  update: 'refused',
  delete: 'refused',
}

const MAX_REASON = 96

function refusal(command: RowCommand, role: string, clause: ClauseVerdict): Words {
  const word = REFUSED[command]
  const deciding = clause.policies.filter(({ decided }) => decided)
  const [policy] = deciding
  const consequence = consequenceOf(command, clause)
  if (policy === undefined) {
    const asked = clause.command.toUpperCase()
    return {
      reason: `${word}: no policy for ${asked}`,
      sentence: `No permissive policy allows ${role} to ${asked}, so Postgres allows no row.${consequence}`,
    }
  }
  const [leaf] = decidedLeaves(policy.tree)
  const because = leaf === undefined ? '' : `: ${brief(leaf)}`
  const reason =
    deciding.length === 1
      ? `${word} by ${policy.name}${because}`
      : `${word}: none of ${deciding.length} policies for ${clause.command.toUpperCase()} allows it`
  const rules = deciding.map((each) => `${policyRule(each, command, role)} ${leafWords(each)}`)
  return { reason: cut(reason, MAX_REASON), sentence: `${rules.join(' ')}${consequence}` }
}

function consequenceOf(
  command: RowCommand,
  { clause, of, command: asked, value }: ClauseVerdict,
): string {
  if (value === 'error') return ' A statement that reaches this row fails with that error.'
  if (of === 'new_row' && clause === 'check')
    return ` The new row is refused: Postgres answers 42501, and nothing is ${command === 'insert' ? 'inserted' : 'changed'}.`
  if (of === 'new_row') return ' The writer could not see the new row, so Postgres answers 42501.'
  if (command === 'select') return ''
  const unseen =
    asked === 'select' ? ' The identity cannot see the row, so it cannot change it either.' : ''
  return `${unseen} The statement skips the row without an error.`
}

function policyRule(
  { name, permissive, tree }: PolicyVerdict,
  command: RowCommand,
  role: string,
): string {
  const verb = VERBS[command]
  if (tree.kind === 'leaf' && tree.text === 'true') return `${name} lets ${role} ${verb} every row.`
  const rule = cut(tree.text, 200)
  return permissive
    ? `${name} lets ${role} ${verb} rows where ${rule}.`
    : `${name} is restrictive: ${role} may ${verb} only rows where ${rule}.`
}

function leafWords({ tree }: PolicyVerdict): string {
  const leaves = decidedLeaves(tree).filter(({ text }) => text !== 'true')
  return leaves.slice(0, 4).map(leafSentence).join(' ')
}

function leafSentence(leaf: ConditionLeaf): string {
  const text = cut(leaf.text, 120)
  if (leaf.error !== null) return `Here ${text} raises an error: ${leaf.error}.`
  const facts = leaf.operands.filter(({ from }) => from !== 'constant').map(operandFact)
  const known = [...facts, ...(leaf.note === null ? [] : [leaf.note])]
  const because = known.length === 0 ? '' : `: ${known.join(', ')}`
  return `Here ${text} is ${verdictWord(leaf)}${because}.`
}

function operandFact({ text, value }: Operand): string {
  return `${cut(text, 60)} is ${shown(value)}`
}

function verdictWord({ value }: ConditionLeaf): string {
  return value === 'null' ? 'null, which does not count as true' : value
}

/** Describes a leaf with values instead of its operands, e.g. `clinic_id = 3 is false`. */
export function brief(leaf: ConditionLeaf): string {
  if (leaf.error !== null) return `${cut(leaf.text, 40)} raises ${leaf.error}`
  if (leaf.value === 'null') return nullWords(leaf)
  const outcome = leaf.value
  const [left, right] = leaf.operands
  if (leaf.operator !== null && left !== undefined && right !== undefined)
    return `${inPlace(left)} ${leaf.operator} ${inPlace(right)} is ${outcome}`
  if (leaf.note !== null) return leaf.note
  return `${cut(leaf.text, 56)} is ${outcome}`
}

// A comparison with null is neither true nor false, so the words name the operand that is null instead of its value.
function nullWords({ operands, operator, text }: ConditionLeaf): string {
  const missing = operands.filter(({ value }) => value === null)
  const named = missing.find(({ from }) => from !== 'row') ?? missing[0]
  const whole = cut(text, 72)
  if (operator === null) return `${whole} is null`
  if (named === undefined) return `a side of ${whole} is null`
  return named.from === 'constant'
    ? `${whole} compares with null, which is never true`
    : `${cut(named.text, 28)} is null, so ${whole} is not true`
}

// Shows a column by its name and other operands by their value. The reader then sees which column to change so that the row
// passes.
function inPlace({ text, value, from }: Operand): string {
  return from === 'row' ? cut(text, 28) : shown(value)
}

function shown(value: string | null): string {
  return value === null ? 'null' : shortened(flat(value), 40)
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Shortens a condition at its end, because the start is the most useful part. */
function cut(text: string, length: number): string {
  const whole = flat(text)
  return whole.length <= length ? whole : `${whole.slice(0, length - 1)}…`
}

// Shortens a value in the middle, because ids can differ at either end.
function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const half = Math.floor((length - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(text.length - half)}`
}
