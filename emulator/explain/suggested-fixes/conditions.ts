// Lists conditions with which a row could pass for an identity: a column equals a claim, a column has the row's value, or `true`.
// find-fixes.ts evaluates each condition before suggesting it. Pure.
import type { ClauseVerdict, ConditionLeaf } from '../../contract/explain.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { quoteIdentifier, quoteLiteral } from '../../database/sql.ts'
import type { Cells } from '../../tables/select-rows.ts'
import type { Column } from '../../tables/table.ts'
import { decidedLeaves } from '../policies/deciding.ts'

export interface Condition {
  /** SQL condition on the table's columns. */
  readonly text: string
  /** The end of a sentence that starts with `rows`. */
  readonly words: string
}

export const EVERY_ROW: Condition = { text: 'true', words: 'of every kind' }

/** Claims that describe the token, not the identity. */
const TECHNICAL = new Set([
  'iss',
  'aud',
  'iat',
  'exp',
  'nbf',
  'jti',
  'role',
  'sdb_role',
  'kv',
  'project_id',
  'project_schema',
  'session_id',
  'aal',
  'amr',
  'provider',
  'providers',
])
const METADATA = ['app_metadata', 'user_metadata']

interface Claim {
  readonly sql: string
  readonly name: string
  readonly value: JsonValue
}

/** One condition for each column of the row that equals a claim of the identity, or is in a claim's list. */
export function relationsTo(
  claims: JsonObject,
  columns: readonly Column[],
  row: Cells,
): readonly Condition[] {
  const found: Condition[] = []
  for (const claim of claimsOf(claims))
    for (const { name, type } of columns) {
      const cell = row[name]
      if (typeof cell === 'string' && cell !== '') {
        const condition = relation(claim, name, type, cell)
        if (condition !== undefined) found.push(condition)
      }
    }
  return found
}

function claimsOf(claims: JsonObject): readonly Claim[] {
  const ofObject = (object: JsonObject, path: string, prefix: string): Claim[] =>
    Object.entries(object).flatMap(([name, value]) =>
      value === undefined || value === null || TECHNICAL.has(name) || METADATA.includes(name)
        ? []
        : [{ sql: `${path} ->> ${quoteLiteral(name)}`, name: prefix + name, value }],
    )
  const nested = METADATA.flatMap((name) => {
    const value = claims[name]
    return isJsonObject(value) ? ofObject(value, `auth.jwt() -> '${name}'`, `${name}.`) : []
  })
  return [...ofObject(claims, 'auth.jwt()', ''), ...nested]
}

function relation(claim: Claim, name: string, type: string, cell: string): Condition | undefined {
  const column = quoteIdentifier(name)
  const { value } = claim
  if (Array.isArray(value)) {
    if (!value.some((element) => String(element) === cell)) return undefined
    const list = claim.sql.replace(/->>(?=[^>]*$)/, '->')
    return {
      text: `exists (select from jsonb_array_elements_text(${list}) as listed where listed = ${column}::text)`,
      words: `whose ${name} is in the claim ${claim.name}`,
    }
  }
  if (typeof value === 'object' || typeof value === 'boolean' || String(value) !== cell)
    return undefined
  const words = `whose ${name} is the claim ${claim.name}`
  if (claim.name === 'sub' && type === 'uuid') return { text: `${column} = auth.uid()`, words }
  return { text: `${type === 'text' ? column : `${column}::text`} = (${claim.sql})`, words }
}

/** A comparison that refused the row, between a column and another value. */
export interface Comparison {
  readonly column: Column
  /** The column's value in the row. */
  readonly cell: string | null
  /** The other side of the comparison. */
  readonly other: { readonly text: string; readonly value: string | null }
}

/** Finds the comparisons in the clauses that refused the row. */
export function comparisonsOf(
  clauses: readonly ClauseVerdict[],
  columns: readonly Column[],
): readonly Comparison[] {
  return clauses
    .filter(({ allowed }) => !allowed)
    .flatMap(({ policies }) => policies)
    .filter(({ value }) => value !== 'true')
    .flatMap(({ tree }) => leavesOf(tree))
    .flatMap((leaf) => comparison(leaf, columns) ?? [])
}

function leavesOf(tree: ClauseVerdict['policies'][number]['tree']): readonly ConditionLeaf[] {
  const decided = decidedLeaves(tree)
  if (decided.length > 0) return decided
  return tree.kind === 'leaf' ? [tree] : tree.children.flatMap(leavesOf)
}

function comparison(leaf: ConditionLeaf, columns: readonly Column[]): Comparison | undefined {
  const [left, right, ...others] = leaf.operands
  if (leaf.operator !== '=' || left === undefined || right === undefined || others.length > 0)
    return undefined
  for (const [own, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const column = columnIn(own.text, columns)
    if (column !== undefined && columnIn(other.text, columns) === undefined)
      return { column, cell: own.value, other }
  }
  return undefined
}

/** Finds the column that an operand consists of, ignoring casts. */
function columnIn(text: string, columns: readonly Column[]): Column | undefined {
  const bare = text.replace(/^\((.*)\)::[\w ".[\]]+$/s, '$1').replace(/::[\w ".[\]]+$/, '')
  const name = /^"(.*)"$/s.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare
  return columns.find((column) => column.name === name)
}

/** The condition that the compared column has the row's value. */
export function sameValue({ column, cell }: Comparison): Condition {
  const name = quoteIdentifier(column.name)
  return cell === null
    ? { text: `${name} is null`, words: `without a ${column.name}` }
    : { text: `${name} = ${quoteLiteral(cell)}`, words: `whose ${column.name} is ${cell}` }
}
