// Formats a row of a change as one line of text. Pure.
import type { JudgedChange } from '../../emulator/contract/realtime.ts'

/** Formats a row as one line: `id 4 · state done`. The emulator sends the key columns first. */
export function rowInALine(row: JudgedChange['row']): string {
  if (row === null) return ''
  return Object.entries(row)
    .map(([name, value]) => `${name} ${textOfValue(value)}`)
    .join(' · ')
}

export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
