// Analyses an owner's script before it runs (docs/wire/platform.md#db-exec). The result is a refusal, a syntax error, or the
// text to send with advice. Pure.
import type { SchemaName } from '../../core/names.ts'
import {
  lineAt,
  type ParsedStatement,
  type SqlParser,
  SqlSyntaxError,
} from '../../database/sql-parser.ts'
import { createdTables, unprotectedQuery } from './created-tables.ts'
import { findRefusal, type Refusal } from './find-refusal.ts'
import { rewriteScript } from './rewrite-script.ts'
import type { SqlAdvice } from './sql-outcome.ts'

export type Analysis =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'broken'
      readonly code: string
      readonly message: string
      readonly line: number | undefined
    }
  | {
      readonly kind: 'ready'
      /** The text to send: the script and a final query for its tables without row-level security. */
      readonly text: string
      readonly advice: readonly SqlAdvice[]
      readonly schemaComment: string | null | undefined
    }

/** Analyses a script of the project whose schema is `schemaName`. */
export function analyseScript(parser: SqlParser, text: string, schemaName: SchemaName): Analysis {
  const statements = parseOr(parser, text)
  if (!Array.isArray(statements)) return statements
  const refusal = findRefusal(parser, text, statements, schemaName)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  const {
    advice,
    schemaComment,
    text: rewritten,
  } = rewriteScript(parser, text, statements, schemaName)
  const question = unprotectedQuery(schemaName, createdTables(statements))
  return { kind: 'ready', text: `${rewritten}\n;${question.text}`, advice, schemaComment }
}

function parseOr(
  parser: SqlParser,
  text: string,
): ParsedStatement[] | (Analysis & { kind: 'broken' }) {
  if (text.includes('\0'))
    return {
      kind: 'broken',
      code: '22021',
      message: 'invalid byte sequence for encoding "UTF8": 0x00',
      line: undefined,
    }
  try {
    return [...parser.parse(text)]
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    const line = error.index === undefined ? undefined : lineAt(text, error.index)
    return { kind: 'broken', code: error.sqlState, message: error.message, line }
  }
}
