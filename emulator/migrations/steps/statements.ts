// Splits the SQL of a step into its statements. Pure.
import { firstWordOf, lineAt, type SqlParser } from '../../database/sql-parser.ts'

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
  return parser.parse(sql).map((statement) => {
    const start = firstWordOf(sql, statement)
    const { end } = statement
    return { text: sql.slice(start, end).trimEnd(), start, end, line: lineAt(sql, start) }
  })
}

/** Returns the statement that contains a 1-based line, or the last statement before it. */
export function statementAtLine(
  statements: readonly StepStatement[],
  line: number,
): StepStatement | undefined {
  return statements.findLast((statement) => statement.line <= line)
}
