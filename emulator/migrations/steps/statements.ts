// Splits the SQL of a step into its statements. Pure.
import {
  firstWordOf,
  lineAt,
  type ParsedStatement,
  type SqlParser,
} from '../../database/sql-parser.ts'

/** A statement whose `start` and `end` are the string indexes of `text` in the step. */
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

/** Returns the statement that contains a 1-based line, or the last statement before it. */
export function statementAtLine(
  statements: readonly StepStatement[],
  line: number,
): StepStatement | undefined {
  return statements.findLast((statement) => statement.line <= line)
}
