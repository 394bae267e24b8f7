// Masks the secret columns of CSV (RFC 4180). The first line contains the names of the columns. Pure.
import { maskValue } from '../mask-value.ts'
import { isNamed, type Masking } from '../masking.ts'
import { isSecretName } from '../secret-names.ts'

/** A cell and its terminator: a comma, the end of the line, or the end of the text. */
const CELL = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|\r|$)/gy

export function maskCsv(text: string, masking: Masking): string {
  const secrets: string[] = []
  let masked = ''
  let [line, column] = [0, 0]
  for (const [whole, cell = '', mark = ''] of text.matchAll(CELL)) {
    const value = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
    if (line === 0)
      secrets[column] = isSecretName(value, false) || isNamed(masking, value) ? value : ''
    const name = line === 0 ? '' : (secrets[column] ?? '')
    const changed =
      name === '' || value === '' ? maskValue(value, masking) : masking.replace(value, name)
    masked += changed === value ? whole : quoted(changed) + mark
    if (mark === ',') column += 1
    else [line, column] = [line + 1, 0]
  }
  return masked
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
