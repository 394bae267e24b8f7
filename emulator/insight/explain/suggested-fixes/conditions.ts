// Lists conditions with which a row could pass for an identity: a column equals a claim, or a flag of the row makes it public.
// Leaves out conditions that are true for every row. fix-search.ts evaluates each condition before suggesting it. Pure.
import type { ClauseVerdict, ConditionLeaf } from '../../../contract/explain.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { quoteIdentifier, quoteLiteral } from '../../../database/sql.ts'
import type { Cells } from '../../tables/select-rows.ts'
import type { Column } from '../../tables/table.ts'
import { publicColumns } from '../../tables/user-columns.ts'
import { decidedLeaves } from '../policies/deciding.ts'

export interface Condition {
  /** SQL condition on the table's columns. */
  readonly text: string
  /** The end of a sentence that starts with `rows`. */
  readonly words: string
}

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
  'app_metadata',
  // Users can change their user_metadata themselves, so a policy that reads it would let them choose their rows.
  'user_metadata',
])

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
      value === undefined || value === null || TECHNICAL.has(name)
        ? []
        : [{ sql: `${path} ->> ${quoteLiteral(name)}`, name: prefix + name, value }],
    )
  const nested = claims['app_metadata']
  return [
    ...ofObject(claims, 'auth.jwt()', ''),
    ...(isJsonObject(nested)
      ? ofObject(nested, "auth.jwt() -> 'app_metadata'", 'app_metadata.')
      : []),
  ]
}

function relation(claim: Claim, name: string, type: string, cell: string): Condition | undefined {
  const column = quoteIdentifier(name)
  const { value } = claim
  if (!isAbout(name, claim, cell)) return undefined
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
  const words = `whose ${name} is ${claim.name === 'sub' ? 'the user' : `the claim ${claim.name}`}`
  if (claim.name === 'sub' && type === 'uuid') return { text: `${column} = auth.uid()`, words }
  return { text: `${type === 'text' ? column : `${column}::text`} = (${claim.sql})`, words }
}

// Equal short values count only when the names of column and claim have a word in common. Otherwise they are a coincidence, such
// as a quantity of 2 in the clinic 2.
function isAbout(column: string, claim: Claim, cell: string): boolean {
  if (isPersonal(cell)) return true
  const words = (name: string): readonly string[] =>
    name
      .toLowerCase()
      .split(/[^a-z0-9]+|_/)
      .flatMap((word) => (word === '' || word === 'id' ? [] : [word.replace(/s$/, '')]))
  const known = words(claim.name)
  return words(column).some((word) => known.includes(word))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** One condition for each flag that marks the row as public. */
export function publicFlags(columns: readonly Column[], row: Cells): readonly Condition[] {
  return publicColumns(columns)
    .filter(({ name }) => row[name] === 't')
    .map(({ name }) => ({ text: quoteIdentifier(name), words: `whose ${name} is true` }))
}

/** A comparison that refused the row, between a column and another value. */
export interface Comparison {
  readonly column: Column
  /** The column's value in the row. */
  readonly cell: string | null
  /** The other operand of the comparison. */
  readonly other: { readonly text: string; readonly value: string | null }
}

/** Finds the comparisons in the clauses that refused the row. */
export function comparisonsOf(
  clauses: readonly ClauseVerdict[],
  columns: readonly Column[],
): readonly Comparison[] {
  return refusingLeaves(clauses).flatMap((leaf) => comparison(leaf, columns) ?? [])
}

/**
 * One condition for each comparison of the identity with constants, such as `my_role() in ('manager')`. The condition is the same
 * comparison with the identity's own value. The condition is true for every row, but only for users of the same kind.
 */
export function rolesOf(clauses: readonly ClauseVerdict[]): readonly Condition[] {
  return refusingLeaves(clauses).flatMap(({ operands, operator }) => {
    const [own, ...others] = operands
    const isComparison = /^(=|in)( any)?$/i.test(operator ?? '') && others.length > 0
    if (!isComparison || own === undefined || own.value === null) return []
    const isOfIdentity = own.from === 'identity' || own.from === 'expression'
    const isRole = isOfIdentity && !NOT_A_ROLE.test(own.text) && !isPersonal(own.value)
    if (!isRole || own.value === '' || others.some(({ from }) => from !== 'constant')) return []
    const text = `${own.text} = ${quoteLiteral(own.value)}`
    return [{ text, words: `when ${own.text} is ${own.value}` }]
  })
}

// auth.uid() and similar expressions identify a single user, and users can change their user_metadata themselves.
const NOT_A_ROLE = /auth\.(uid|email|role)\(\)|user_metadata|current_user|\bsub\b/

function isPersonal(value: string): boolean {
  return UUID.test(value) || value.includes('@')
}

function refusingLeaves(clauses: readonly ClauseVerdict[]): readonly ConditionLeaf[] {
  return clauses
    .filter(({ allowed }) => !allowed)
    .flatMap(({ policies }) => policies)
    .filter(({ value }) => value !== 'true')
    .flatMap(({ tree }) => leavesOf(tree))
}

function leavesOf(tree: ClauseVerdict['policies'][number]['tree']): readonly ConditionLeaf[] {
  const decided = decidedLeaves(tree)
  if (decided.length > 0) return decided
  return tree.kind === 'leaf' ? [tree] : tree.children.flatMap(leavesOf)
}

function comparison(leaf: ConditionLeaf, columns: readonly Column[]): Comparison | undefined {
  const flag = columnIn(leaf.text, columns)
  if (flag?.type === 'boolean') {
    const other = leaf.value === 'true' ? 'false' : 'true'
    return { column: flag, cell: leaf.value, other: { text: other, value: other } }
  }
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
