// Parses CSV bodies (RFC 4180). The first line names the columns, `NULL` means null, and other values are text. As in PostgREST's
// CSV library, blank lines and surplus fields are ignored, and quotes enclose a whole field. Pure.
import { DataError } from '../errors.ts'
import { shownText } from './shown.ts'

/**
 * Parses the body into one record per line. A line with fewer fields than the header gives a record without the missing columns.
 * @throws {DataError} PGRST102
 */
export function parseCsv(body: Uint8Array): Record<string, string | null>[] {
  // Latin-1 decodes each byte to one character. One character per byte is enough, because separators are ASCII and
  // PostgREST's messages show bytes.
  const reader: Reader = { text: Buffer.from(body).toString('latin1'), position: 0 }
  const header = readRecord(reader).map(decoded)
  readLineEnd(reader)
  const rows: Record<string, string | null>[] = []
  for (;;) {
    const fields = readRecord(reader)
    const isBlank = fields.length === 1 && fields[0] === ''
    if (!isBlank) rows.push(rowOf(header, fields))
    if (reader.position === reader.text.length) return rows
    readLineEnd(reader)
  }
}

interface Reader {
  readonly text: string
  position: number
}

function rowOf(
  header: readonly string[],
  fields: readonly string[],
): Record<string, string | null> {
  const pairs = header
    .slice(0, fields.length)
    .map((name, index) => [name, contentOf(fields[index] ?? '')] as const)
  return Object.fromEntries(pairs)
}

function contentOf(field: string): string | null {
  return field === 'NULL' ? null : decoded(field)
}

function decoded(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

function readRecord(reader: Reader): string[] {
  const fields = [readField(reader)]
  while (reader.text[reader.position] === ',') {
    reader.position++
    fields.push(readField(reader))
  }
  return fields
}

function readField(reader: Reader): string {
  if (reader.text[reader.position] === '"') return readQuoted(reader)
  const bare = /[^",\r\n]*/y
  bare.lastIndex = reader.position
  const field = bare.exec(reader.text)?.[0] ?? ''
  reader.position += field.length
  return field
}

// As in PostgREST's library, removes the last character as the closing quote, even if the text ends without a quote.
function readQuoted(reader: Reader): string {
  const start = reader.position + 1
  const found = reader.text.slice(start, endOfQuoted(reader.text, start))
  reader.position = start + found.length
  if (found === '') throw refused(reader, 'Failed reading: trailing double quote')
  const inner = found.slice(0, -1)
  const unescaped = inner.replaceAll('""', '')
  if (unescaped.includes('"')) throw refused(reader, 'Failed reading: insufficient input')
  return inner.replaceAll('""', '"')
}

function endOfQuoted(text: string, start: number): number {
  let from = start
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    if (text[quote + 1] !== '"') return quote + 1
    from = quote + 2
  }
}

function readLineEnd(reader: Reader): void {
  const { text, position } = reader
  if (position === text.length) throw refused(reader, 'not enough input')
  const found = text[position]
  if (found !== '\n' && found !== '\r') throw refused(reader, 'Failed reading: satisfy')
  reader.position += found === '\r' && text[position + 1] === '\n' ? 2 : 1
}

const MOST_SHOWN = 100

function refused({ text, position }: Reader, reason: string): DataError {
  const rest = text.slice(position)
  const shown =
    rest.length > MOST_SHOWN ? `${decoded(rest.slice(0, MOST_SHOWN))} (truncated)` : shownText(rest)
  return new DataError('PGRST102', `parse error (${reason}) at ${shown}`)
}
