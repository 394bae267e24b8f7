// Conditions under which a row would pass for an identity: a column equals a claim, a column has the row's value, or every
// row. They are candidates: find-fixes.ts evaluates each before it is offered. Pure.
import type { ClauseVerdict, ConditionLeaf } from '../../contract/explain.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { quoteIdentifier, quoteLiteral } from '../../database/sql.ts'
import type { Cells } from '../../tables/select-rows.ts'
import type { Column } from '../../tables/table.ts'
import { decidedLeaves } from '../policies/deciding.ts'

export interface Condition {
  /** SQL over the table's columns. */
  readonly text: string
  /** Ends a sentence that begins with `rows`. */
  readonly words: string
}

export const EVERY_ROW: Condition = { text: 'true', words: 'of every kind' }

/** Claims that do not relate rows to an identity. */
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

/** One per column of the row that equals a claim of the identity, or is in a list that a claim is. */
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

/** A leaf that refused a row by comparing one of its columns. */
export interface Comparison {
  readonly column: Column
  /** As it is in the row. */
  readonly cell: string | null
  /** What it was compared with. */
  readonly other: { readonly text: string; readonly value: string | null }
}

/** The comparisons of the refusing clauses. */
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

/** The column that an operand names, with or without a cast. */
function columnIn(text: string, columns: readonly Column[]): Column | undefined {
  const bare = text.replace(/^\((.*)\)::[\w ".[\]]+$/s, '$1').replace(/::[\w ".[\]]+$/, '')
  const name = /^"(.*)"$/s.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare
  return columns.find((column) => column.name === name)
}

/** The row's own value of a compared column. */
export function sameValue({ column, cell }: Comparison): Condition {
  const name = quoteIdentifier(column.name)
  return cell === null
    ? { text: `${name} is null`, words: `without a ${column.name}` }
    : { text: `${name} = ${quoteLiteral(cell)}`, words: `whose ${column.name} is ${cell}` }
}
