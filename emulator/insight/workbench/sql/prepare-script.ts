// Checks a script of the SQL console. Returns an error, or the text to run and a mapping of Postgres's positions to the
// caller's text. Applies the rules of `db/exec` (docs/wire/platform.md#db-exec), and adds LIMIT to a SELECT without one. Pure.
import type { SqlFailure } from '../../../contract/sql-console.ts'
import type { SchemaName } from '../../../core/names.ts'
import {
  indexOfCharacter,
  type ParsedStatement,
  type SqlParser,
  SqlSyntaxError,
} from '../../../database/sql-parser.ts'
import { createdTables, unprotectedQuery } from '../../../platform/owner-sql/created-tables.ts'
import { findRefusal } from '../../../platform/owner-sql/find-refusal.ts'
import { type Edit, rewriteScript } from '../../../platform/owner-sql/rewrite-script.ts'
import type { SqlAdvice } from '../../../platform/owner-sql/sql-outcome.ts'

export type PreparedScript =
  | { readonly kind: 'refused'; readonly failure: SqlFailure }
  | {
      readonly kind: 'ready'
      /** The script. If `asksLast` is true, the emulator's own query follows. */
      readonly text: string
      /** Whether the first result is from the emulator's own query, which fixes the mode of the transaction. */
      readonly asksFirst: boolean
      /** Whether the last result is from the emulator's own query, which lists new tables without row-level security. */
      readonly asksLast: boolean
      readonly advice: readonly SqlAdvice[]
      /** The comment that the script sets on the schema. */
      readonly schemaComment: string | null | undefined
      /** Converts Postgres's position in `text` to a 1-based position in the caller's text. */
      readonly positionOf: (position: number) => number
    }

/** The LIMIT that the console adds to a SELECT without one. */
export const COUNTED_ROWS = 50_000

/** Prepares a script for the project whose schema is `schemaName`. */
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
    asksFirst: false,
    asksLast: true,
    advice: rewritten.advice,
    schemaComment: rewritten.schemaComment,
    positionOf: (position) => originalPosition(text, rewritten, position),
  }
}

// Runs a query first, because Postgres accepts SET TRANSACTION READ WRITE in a read-only transaction only until the first query.
const FIRST_QUERY = 'select;\n'

/** Prepares a script for a read-only transaction, so that the script cannot make the transaction writable. */
export function prepareReadOnly(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): PreparedScript {
  const script = prepareScript(parser, text, schemaName)
  if (script.kind === 'refused') return script
  return {
    ...script,
    text: FIRST_QUERY + script.text,
    asksFirst: true,
    positionOf: (position) => script.positionOf(Math.max(1, position - FIRST_QUERY.length)),
  }
}

const EXPLAIN = 'explain (analyze, verbose, format text) '

/** Prepares one statement for EXPLAIN. A statement that is already an EXPLAIN stays unchanged. */
export function prepareExplain(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
  explain: string = EXPLAIN,
): PreparedScript {
  const statements = parseOr(parser, text, schemaName)
  if (!Array.isArray(statements)) return statements
  const [statement] = statements
  if (statement === undefined || statements.length > 1)
    return refused(
      '42601',
      `EXPLAIN needs exactly one statement, but the SQL has ${statements.length}.`,
      {
        hint: 'Select one statement.',
      },
    )
  const prefix = statement.kind === 'ExplainStmt' ? '' : explain
  const own = text.slice(statement.start, statement.end)
  return {
    kind: 'ready',
    text: prefix + own,
    asksFirst: false,
    asksLast: false,
    advice: [],
    schemaComment: undefined,
    positionOf: (position) =>
      statement.start + indexOfCharacter(own, Math.max(0, position - 1 - prefix.length)) + 1,
  }
}

/** Prepares one SELECT, which runs as a subquery. */
export function prepareOneSelect(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): PreparedScript {
  const statements = parseOr(parser, text, schemaName)
  if (!Array.isArray(statements)) return statements
  const [statement] = statements
  if (statement === undefined || statements.length > 1 || statement.kind !== 'SelectStmt')
    return refused('42601', 'Past rows can be read by exactly one SELECT.')
  return {
    kind: 'ready',
    text: text.slice(statement.start, statement.end),
    asksFirst: false,
    asksLast: false,
    advice: [],
    schemaComment: undefined,
    positionOf: (position) => statement.start + position,
  }
}

function parseOr(
  parser: SqlParser,
  text: string,
  schemaName: SchemaName,
): ParsedStatement[] | (PreparedScript & { kind: 'refused' }) {
  if (text.includes('\0')) return refused('22021', 'SQL cannot contain the character NUL.')
  if (!text.isWellFormed()) return refused('22021', 'SQL cannot contain half of a surrogate pair.')
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
    return refused('0A000', 'COPY is not supported here: there is no file or stream.', {
      hint: 'Import or export the table, or use INSERT and SELECT.',
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

/** Converts a position of Postgres, in characters of the rewritten text, to a position in the original. */
export function originalPosition(
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
