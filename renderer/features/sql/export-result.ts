// Writes a result as a CSV or JSON file. CSV follows RFC 4180, with an empty field for null and quotes around an empty
// text. A JSON file contains a list of objects. Pure.
import type { SqlResult } from '../../../emulator/contract/sql-console.ts'

/** Writes values unchanged, even when a spreadsheet would interpret them as formulas. */
export function csvOf({ columns, rows }: SqlResult): string {
  const lines = [columns.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}

export function jsonOf({ columns, rows }: SqlResult): string {
  const names = uniqueNames(columns.map(({ name }) => name))
  const objects = rows.map((row) =>
    Object.fromEntries(row.map((value, index) => [names[index] ?? String(index), value])),
  )
  return `${JSON.stringify(objects, null, 2)}\n`
}

function field(value: string | null): string {
  if (value === null) return ''
  return value === '' || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

// Adds a number to a column name that occurs again.
function uniqueNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}
