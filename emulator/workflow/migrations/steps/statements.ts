// Splits the SQL of a step into its statements. Pure.
import {
  firstWordOf,
  lineAt,
  type ParsedStatement,
  type SqlParser,
} from '../../../database/sql-parser.ts'

/** A statement of a step. `start` and `end` are the string indexes of `text` in the step. */
export interface StepStatement extends ParsedStatement {
  /** Text without comments before it and without the semicolon. */
  readonly text: string
  /** 1-based line of the first character. */
  readonly line: number
}

/** @throws {SqlSyntaxError} with the string index of the error in `sql` */
export function splitStatements(parser: SqlParser, sql: string): readonly StepStatement[] {
  return parser.parse(sql).map((statement) => {
    const start = firstWordOf(sql, statement)
    const { end } = statement
    return {
      ...statement,
      text: sql.slice(start, end).trimEnd(),
      start,
      line: lineAt(sql, start),
    }
  })
}

/** Whether the text contains anything but comments, white space and semicolons. */
export function hasStatements(sql: string): boolean {
  const end = sql.length
  for (let start = 0; ; start += 1) {
    start = firstWordOf(sql, { start, end })
    if (start >= end) return false
    if (sql[start] !== ';') return true
  }
}

/**
 * Returns a text that is equal for equal statements. The text has no comments and no white space. Its keywords and unquoted names
 * are in lower case, as Postgres reads them.
 */
export function statementKey(parser: SqlParser, text: string): string {
  const tokens = parser.tokens(text)
  // The scanner finds no tokens in a text that it cannot read. Such a text is equal only to itself.
  if (tokens.length === 0) return text
  return tokens
    .map((token) => (/["'$]/.test(token.text) ? token.text : token.text.toLowerCase()))
    .filter((token) => token !== ';')
    .join('\u0000')
}

/** Returns the statement that contains a 1-based line, or the last statement before it. */
export function statementAtLine(
  statements: readonly StepStatement[],
  line: number,
): StepStatement | undefined {
  return statements.findLast((statement) => statement.line <= line)
}
