// Splits the SQL of a step into its statements. Pure.
import { lineAt, type SqlParser } from '../../database/sql-parser.ts'

export interface StepStatement {
  /** Text without comments before it and without the semicolon. */
  readonly text: string
  /** String indexes of the text in the step. */
  readonly start: number
  readonly end: number
  /** 1-based line of the first character. */
  readonly line: number
}

/** @throws {SqlSyntaxError} with the string index of the error in `sql` */
export function splitStatements(parser: SqlParser, sql: string): readonly StepStatement[] {
  return parser.parse(sql).map(({ start, end }) => {
    const from = start + leadingComments(sql.slice(start, end))
    return { text: sql.slice(from, end).trimEnd(), start: from, end, line: lineAt(sql, from) }
  })
}

/** Returns the statement that contains a 1-based line, or the last statement before it. */
export function statementAtLine(
  statements: readonly StepStatement[],
  line: number,
): StepStatement | undefined {
  return statements.findLast((statement) => statement.line <= line)
}

/** Returns the length of white space and comments at the start. Postgres's block comments can be nested. */
function leadingComments(text: string): number {
  let at = 0
  for (;;) {
    const blank = /^(\s+|--[^\n]*)/.exec(text.slice(at))?.[0].length ?? 0
    const length = blank > 0 ? blank : blockComment(text.slice(at))
    if (length === 0) return at
    at += length
  }
}

function blockComment(text: string): number {
  if (!text.startsWith('/*')) return 0
  let depth = 0
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return index + mark.length
  }
  return text.length
}
