// Shortens long cells in the same way in SQL and in TypeScript. Therefore cells can be compared whether Postgres or this file
// shortened them. Pure.
import { createHash } from 'node:crypto'
import { literal, type Sql, sql } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'

/** Cells with more characters are shortened. A shortened cell has fewer characters than this. */
const MAX_CHARACTERS = 400
const START_CHARACTERS = 200

/** Text of each cell by column name; `null` is SQL's null. */
export type ShownRow = ReadonlyMap<string, string | null>

/** Returns the cells of a row's text by column, with long cells shortened. */
export function shownRow(columns: readonly string[], text: string): ShownRow {
  const cells = parseRecordText(text)
  return new Map(columns.map((column, place) => [column, shortened(cells[place] ?? null)]))
}

function shortened(cell: string | null): string | null {
  if (cell === null || cell.length <= MAX_CHARACTERS) return cell
  const characters = Array.from(cell)
  if (characters.length <= MAX_CHARACTERS) return cell
  const start = characters.slice(0, START_CHARACTERS).join('')
  const digest = createHash('md5').update(cell).digest('hex')
  return `${start}… (${characters.length} characters, md5 ${digest})`
}

/**
 * Returns SQL that shortens a cell in the same way. `concat` calls only the output function of the cell's type, and no cast that
 * a tenant defined (database/row-reader.ts).
 */
export function shortenedCell(cell: Sql): Sql {
  const text = sql`concat(${cell})`
  const most = literal(String(MAX_CHARACTERS))
  const start = literal(String(START_CHARACTERS))
  return sql`case
    when ${cell} is not distinct from null then null
    when length(${text}) <= ${most}::integer then ${text}
    else concat(left(${text}, ${start}::integer), '… (', length(${text}), ' characters, md5 ', md5(${text}), ')')
  end`
}
