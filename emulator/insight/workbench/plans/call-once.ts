// Rewrites the expression of a policy. Calls that return the same value for each row become subqueries, which Postgres
// evaluates once for the statement. Pure.
import type { SqlParser, TreeFields } from '../../../database/sql-parser.ts'
import { isFields, namesOf, numberOf } from '../../../database/sql-tree.ts'
import { applyEdits, type Edit } from '../../../platform/owner-sql/rewrite-script.ts'
import { placeTokens } from '../../explain/policies/split-expression.ts'

const HEAD = 'select '

export interface CalledOnce {
  readonly text: string
  /** e.g. `auth.uid()` */
  readonly calls: readonly string[]
}

/**
 * @param steady names of functions, besides those of `auth`, that return the same value during a statement
 * @returns `undefined` when the expression calls none, or when it cannot be parsed
 */
export function callOnce(
  parser: SqlParser,
  expression: string,
  steady: ReadonlySet<string>,
): CalledOnce | undefined {
  const whole = HEAD + expression
  const tokens = placeTokens(parser, whole)
  const edits: Edit[] = []
  for (const location of locationsIn(parser, whole, steady)) {
    const start = parser.indexOf(whole, location)
    const opening = tokens.find((token) => token.start >= start && token.word === '(')
    const closing = opening?.closing === undefined ? undefined : tokens[opening.closing]
    if (closing === undefined) return undefined
    edits.push({ start, end: closing.end, text: `(select ${whole.slice(start, closing.end)})` })
  }
  if (edits.length === 0) return undefined
  edits.sort((one, other) => one.start - other.start)
  return {
    text: applyEdits(whole, edits).slice(HEAD.length),
    calls: edits.map(({ start, end }) => whole.slice(start, end)),
  }
}

/** Byte offsets of the calls, outermost first. */
function locationsIn(
  parser: SqlParser,
  whole: string,
  steady: ReadonlySet<string>,
): readonly number[] {
  try {
    const found: number[] = []
    for (const { fields } of parser.parse(whole)) collect(fields, steady, found)
    return found
  } catch {
    return []
  }
}

function collect(value: unknown, steady: ReadonlySet<string>, found: number[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, steady, found)
  if (!isFields(value)) return
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'SubLink') continue
    if (kind === 'FuncCall' && isFields(inner) && isSteady(inner, steady))
      found.push(numberOf(inner, 'location') ?? 0)
    else collect(inner, steady, found)
  }
}

function isSteady(call: TreeFields, steady: ReadonlySet<string>): boolean {
  const names = namesOf(call['funcname'])
  const isKnown = names.at(-2) === 'auth' || steady.has(names.at(-1) ?? '')
  return isKnown && !readsRow(call['args'])
}

function readsRow(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(readsRow)
  if (!isFields(value)) return false
  return Object.entries(value).some(
    ([kind, inner]) => kind === 'ColumnRef' || kind === 'SubLink' || readsRow(inner),
  )
}
