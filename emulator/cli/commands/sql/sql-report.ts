// Formats the answer of the SQL console for the terminal. Pure.
import type { SqlAnswer, SqlFailure, SqlResult } from '../../../contract/sql-console.ts'
import { asSentence } from '../../../core/errors.ts'
import { printable, printableLines } from '../../../core/printable.ts'
import { counted } from '../../report.ts'
import { tableLines } from '../../text-table.ts'

/** Formats all results: a table for rows, and the command tag for other statements. */
export function answerLines({ results }: SqlAnswer): string {
  return results.map((result) => resultLines(result).join('\n')).join('\n\n')
}

function resultLines({ columns, command_tag: tag, rows, rows_left_out: more }: SqlResult) {
  if (columns.length === 0) return [tag]
  // A null has no text, so that it differs from the text "null".
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : printable(cell))))
  return [
    ...tableLines([columns.map(({ name }) => printable(name)), ...cells]),
    `(${counted(rows.length + more, 'row')}${more > 0 ? `, ${more} not shown` : ''})`,
  ]
}

export function noticeLines({ notices }: SqlAnswer): readonly string[] {
  return notices.map(({ message, severity }) => `${severity}: ${printableLines(message)}`)
}

const READ_ONLY = '25006'

/** Says why Postgres refused the SQL, and where. */
export function refusalLine(failure: SqlFailure, statement: string): string {
  const { code, detail, hint, message, position } = failure
  const where = position === null ? '' : ` at ${placeOf(statement, position)}`
  const advice = code === READ_ONLY ? 'Pass --write to keep changes.' : null
  const rest = [detail, hint, advice].flatMap((part) => part ?? []).map(asSentence)
  return printableLines(
    [`Postgres refused the SQL${where}: ${asSentence(message)}`, ...rest, `(${code})`].join(' '),
  )
}

/** @param position 1-based */
function placeOf(statement: string, position: number): string {
  const before = statement.slice(0, position - 1).split('\n')
  return `line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`
}
