// CSV bodies (RFC 4180): the first line names the columns, `NULL` is null, everything else is text. Pure.
import { DataError } from '../errors.ts'

/** Reads the body into one record per line. @throws {DataError} PGRST102 */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...lines] = splitRecords(text)
  if (header === undefined) throw new DataError('PGRST102', 'not enough input')
  return lines.map((values) => {
    if (values.length !== header.length)
      throw new DataError('PGRST102', 'All lines must have same number of fields')
    return Object.fromEntries(
      header.map((name, index) => [name, values[index] === 'NULL' ? null : (values[index] ?? '')]),
    )
  })
}

function splitRecords(text: string): string[][] {
  const records: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y
  let fields: string[] = []
  while (cell.lastIndex < text.length || fields.length > 0) {
    const at = cell.lastIndex
    const match = cell.exec(text)
    if (match === null)
      throw new DataError('PGRST102', `parse error (malformed CSV) at "${text.slice(at, at + 40)}"`)
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    records.push(fields)
    fields = []
  }
  return records
}
