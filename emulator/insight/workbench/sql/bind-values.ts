// Replaces the placeholders of a caller's SQL ($1, $2 …) by literals. A script with values then runs like any other script: it
// can have several statements, the same refusals apply, and Postgres plans for these values. Pure.
import type { SqlFailure } from '../../../contract/sql-console.ts'
import type { SqlParam } from '../../../database/sql.ts'
import { quoteLiteral } from '../../../database/sql.ts'
import { type SqlParser, SqlSyntaxError, type TreeFields } from '../../../database/sql-parser.ts'
import { numberOf, visitStatement } from '../../../database/sql-tree.ts'
import { applyEdits, type Edit } from '../../../platform/owner-sql/rewrite-script.ts'
import { originalPosition, type PreparedScript } from './prepare-script.ts'

type Prepare = (parser: SqlParser, text: string) => PreparedScript

/** Prepares SQL with values for its placeholders. Positions of errors stay those of the caller's text. */
export function prepareBound(
  parser: SqlParser,
  text: string,
  values: readonly SqlParam[],
  prepare: Prepare,
): PreparedScript {
  if (values.length === 0) return prepare(parser, text)
  const edits: Edit[] = []
  for (const { number, start, end } of placeholdersIn(parser, text)) {
    const value = values[number - 1]
    if (value === undefined) return { kind: 'refused', failure: missingValue(number, start) }
    edits.push({ start, end, text: value === null ? 'null' : quoteLiteral(value) })
  }
  const bound = { text: applyEdits(text, edits), edits }
  const positionOf = (position: number) => originalPosition(text, bound, position)
  const prepared = prepare(parser, bound.text)
  if (prepared.kind === 'ready')
    return { ...prepared, positionOf: (position) => positionOf(prepared.positionOf(position)) }
  const { failure } = prepared
  const position = failure.position === null ? null : positionOf(failure.position)
  return { kind: 'refused', failure: { ...failure, position } }
}

/**
 * Whether the parser can read the text. NUL would end a text in the protocol, and the parser cannot read half of a surrogate
 * pair. `prepare` reports both as errors.
 */
function isReadable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export interface Placeholder {
  /** 1 for `$1`. */
  readonly number: number
  readonly start: number
  readonly end: number
}

/** Returns the placeholders in the order of the text. Returns an empty list for text that cannot be parsed. */
export function placeholdersIn(parser: SqlParser, text: string): readonly Placeholder[] {
  if (!isReadable(text)) return []
  const found: Placeholder[] = []
  for (const statement of parsed(parser, text))
    visitStatement(statement, (kind, fields) => {
      if (kind === 'ParamRef') found.push(...placeholderAt(parser, text, fields))
    })
  return found.toSorted((one, other) => one.start - other.start)
}

function parsed(parser: SqlParser, text: string): ReturnType<SqlParser['parse']> {
  try {
    return parser.parse(text)
  } catch (error) {
    if (error instanceof SqlSyntaxError) return []
    throw error
  }
}

function placeholderAt(
  parser: SqlParser,
  text: string,
  fields: TreeFields,
): readonly Placeholder[] {
  const number = numberOf(fields, 'number') ?? 0
  const start = parser.indexOf(text, numberOf(fields, 'location') ?? 0)
  return text.startsWith(`$${number}`, start)
    ? [{ number, start, end: start + `$${number}`.length }]
    : []
}

/** Postgres's own error for a placeholder without a value. */
function missingValue(number: number, start: number): SqlFailure {
  return {
    code: '42P02',
    message: `there is no parameter $${number}`,
    detail: null,
    hint: `Enter a value for $${number}.`,
    position: start + 1,
  }
}
