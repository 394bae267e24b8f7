// Formats a row, or the change of a row, as one line of text. Pure.
import type { JudgedChange } from '../../emulator/contract/realtime.ts'

/** Formats a row as one line: `id 4 · state done`. The emulator sends the key columns first. */
export function rowInALine(row: JudgedChange['row']): string {
  if (row === null) return ''
  return Object.entries(row)
    .map(([name, value]) => `${name} ${textOfValue(value)}`)
    .join(' · ')
}

/** Formats an update with its old values: `id 4 · state booked → arrived`. The key comes first. */
export function changeInALine({ event, old_row: old, row }: JudgedChange): string {
  if (event !== 'UPDATE' || old === null || row === null) return rowInALine(row ?? old)
  const [key, ...others] = Object.entries(row).map(([name, value]) => {
    const [before, after] = [textOfValue(old[name]), textOfValue(value)]
    return {
      text: `${name} ${before === after ? '' : `${before} → `}${after}`,
      isSame: before === after,
    }
  })
  const changed = others.filter(({ isSame }) => !isSame)
  return [...(key === undefined ? [] : [key]), ...changed].map(({ text }) => text).join(' · ')
}

export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
