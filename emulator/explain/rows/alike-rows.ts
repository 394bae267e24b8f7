// Rows that expressions cannot tell apart, because the cells that they may read are the same: evaluated once. Pure.
import { parseRecordText } from '../../database/values/row-text.ts'
import type { SecuredTable } from '../../tables/table.ts'

export interface AlikeRows {
  /** One row of each kind, in the order they were met. */
  readonly kinds: readonly string[]
  /** Per row the index of its kind. */
  readonly kindOf: readonly number[]
}

/** @param rows texts of records, with a cell for each column of the table */
export function alikeRows(
  { columns }: Pick<SecuredTable, 'columns'>,
  expressions: readonly string[],
  rows: readonly string[],
): AlikeRows {
  const text = expressions.join('\n')
  const isRead = columns.map(({ name }) => mentions(text, name))
  if (rows.length < 2 || readsWholeRow(text) || !isRead.includes(false)) return eachItsOwn(rows)
  const kinds: string[] = []
  const known = new Map<string, number>()
  const kindOf = rows.map((row) => {
    const key = keyOf(parseRecordText(row), isRead)
    const kind = known.get(key) ?? kinds.push(row) - 1
    known.set(key, kind)
    return kind
  })
  return { kinds, kindOf }
}

function eachItsOwn(rows: readonly string[]): AlikeRows {
  return { kinds: rows, kindOf: rows.map((_, index) => index) }
}

// Postgres writes a whole row as `name.*`. Another table's stands so, too, which only costs time.
function readsWholeRow(text: string): boolean {
  return /\.\s*\*/.test(text)
}

// Wherever a column is read, its name stands, quoted or not. A name that means something else counts as well: it costs time
// only.
function mentions(text: string, column: string): boolean {
  const name = column.replaceAll('"', '""')
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + name.length])) return true
  return false
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\w$]/.test(char)
}

// No cell's text has a zero character in it.
function keyOf(cells: readonly (string | null)[], isRead: readonly boolean[]): string {
  let key = ''
  for (const [index, cell] of cells.entries())
    if (isRead[index] === true) key += cell === null ? '\0' : `\0=${cell}`
  return key
}
