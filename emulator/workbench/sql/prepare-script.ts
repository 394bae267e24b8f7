// A script of the console before it runs: refused, or what to send with the way back from its positions to the caller's.
// The rules are those of `db/exec` (docs/wire/platform.md#db-exec); every SELECT without LIMIT is bounded. Pure.
import type { SqlFailure } from '../../contract/sql-console.ts'
import { createdTables, unprotectedQuery } from '../../control/sql-console/created-tables.ts'
import { findRefusal } from '../../control/sql-console/find-refusal.ts'
import { type Edit, rewriteScript } from '../../control/sql-console/rewrite-script.ts'
import type { SqlAdvice } from '../../control/sql-console/sql-outcome.ts'
import type { SchemaName } from '../../core/names.ts'
import {
  indexOfCharacter,
  type ParsedStatement,
  type SqlParser,
  SqlSyntaxError,
} from '../../database/sql-parser.ts'

export type PreparedScript =
  | { readonly kind: 'refused'; readonly failure: SqlFailure }
  | {
      readonly kind: 'ready'
      /** The script, then one question of ours when `asksLast`. */
      readonly text: string
      /** The last result is ours: names of tables whose row-level security is off. */
      readonly asksLast: boolean
      readonly advice: readonly SqlAdvice[]
      /** What the script says the schema's comment shall be. */
      readonly schemaComment: string | null | undefined
      /** 1-based offset into the caller's text, of Postgres's position in `text`. */
      readonly positionOf: (position: number) => number
    }

/** Rows that a SELECT without LIMIT may bring before Postgres is stopped; what is beyond is not counted. */
export const COUNTED_ROWS = 50_000

/** Prepares a script of the project whose schema is `schemaName` for being run whole. */
export function prepareScript(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): PreparedScript {
  const statements = parseOr(parser, text, schemaName)
  if (!Array.isArray(statements)) return statements
  const rewritten = rewriteScript(parser, text, statements, schemaName, {
    selects: 'every',
    rows: COUNTED_ROWS,
  })
  const question = unprotectedQuery(schemaName, createdTables(statements))
  return {
    kind: 'ready',
    text: `${rewritten.text}\n;${question.text}`,
    asksLast: true,
    advice: rewritten.advice,
    schemaComment: rewritten.schemaComment,
    positionOf: (position) => originalPosition(text, rewritten, position),
  }
}

const EXPLAIN = 'explain (analyze, verbose, format text) '

/** Prepares one statement for EXPLAIN; one that says EXPLAIN itself stays as it is. */
export function prepareExplain(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): PreparedScript {
  const statements = parseOr(parser, text, schemaName)
  if (!Array.isArray(statements)) return statements
  const [statement] = statements
  if (statement === undefined || statements.length > 1)
    return refused('42601', `Only one statement can be explained, not ${statements.length}.`, {
      hint: 'Select the one that is meant.',
    })
  const prefix = statement.kind === 'ExplainStmt' ? '' : EXPLAIN
  const own = text.slice(statement.start, statement.end)
  return {
    kind: 'ready',
    text: prefix + own,
    asksLast: false,
    advice: [],
    schemaComment: undefined,
    positionOf: (position) =>
      statement.start + indexOfCharacter(own, Math.max(0, position - 1 - prefix.length)) + 1,
  }
}

function parseOr(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): ParsedStatement[] | (PreparedScript & { kind: 'refused' }) {
  if (text.includes('\0')) return refused('22021', 'SQL cannot contain the character NUL.')
  if (!text.isWellFormed()) return refused('22021', 'SQL cannot contain half a character.')
  try {
    const statements = [...parser.parse(text)]
    return refusalOf(parser, text, statements, schemaName) ?? statements
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    const { index } = error
    return refused(error.sqlState, error.message, index === undefined ? {} : { index })
  }
}

function refusalOf(
  parser: SqlParser,
  text: string,
  statements: readonly ParsedStatement[],
  schemaName: SchemaName,
): (PreparedScript & { kind: 'refused' }) | undefined {
  const copy = statements.find(({ kind }) => kind === 'CopyStmt')
  if (copy !== undefined)
    return refused('0A000', 'COPY has no file or stream here.', {
      hint: 'Use the import and export of a table, or INSERT and SELECT.',
      index: copy.start + (text.slice(copy.start).match(/^\s*/)?.[0].length ?? 0),
    })
  const refusal = findRefusal(parser, text, statements, schemaName)
  return refusal === undefined
    ? undefined
    : refused(refusal.code, refusal.message, { hint: refusal.hint })
}

function refused(
  code: string,
  message: string,
  { hint, index }: { readonly hint?: string; readonly index?: number } = {},
): PreparedScript & { kind: 'refused' } {
  const position = index === undefined ? null : index + 1
  return {
    kind: 'refused',
    failure: { code, message, detail: null, hint: hint ?? null, position },
  }
}

function originalPosition(
  original: string,
  { text, edits }: { readonly text: string; readonly edits: readonly Edit[] },
  position: number,
): number {
  const sent = indexOfCharacter(text, position - 1)
  let shift = 0
  for (const edit of edits) {
    const start = edit.start + shift
    if (sent < start) break
    if (sent < start + edit.text.length) return edit.start + 1
    shift += edit.text.length - (edit.end - edit.start)
  }
  return Math.min(sent - shift, original.length) + 1
}
