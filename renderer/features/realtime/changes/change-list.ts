// Joins past and live row changes into one list, and filters it. Pure.
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import type { RealtimeSearch } from '../realtime-search.ts'

export const CHANGES_KEPT = 2_000

/** Past and live changes of one schema, newest first, each once. */
export function joinChanges(
  history: readonly JudgedChange[],
  live: readonly JudgedChange[],
  schemaName: string,
): readonly JudgedChange[] {
  const byNumber = new Map<number, JudgedChange>()
  for (const change of [...history, ...live])
    if (change.schema_name === schemaName) byNumber.set(change.number, change)
  return [...byNumber.values()].sort((a, b) => b.number - a.number).slice(0, CHANGES_KEPT)
}

export function filterChanges(
  changes: readonly JudgedChange[],
  { table, event, kept, q }: RealtimeSearch,
): readonly JudgedChange[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return changes.filter(
    (change) =>
      (table === undefined || change.table === table) &&
      (event === undefined || change.event === event) &&
      (kept === undefined || change.verdicts.some(({ verdict }) => verdict !== 'delivered')) &&
      (words.length === 0 || matches(change, words)),
  )
}

/** The tables of the changes, in alphabetical order. */
export function tablesOf(changes: readonly JudgedChange[]): readonly string[] {
  return [...new Set(changes.map(({ table }) => table))].sort()
}

/** `id 4 · state done`: the row as one line. The emulator sends the key first. */
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

function matches({ table, row, verdicts }: JudgedChange, words: readonly string[]): boolean {
  const text = [table, JSON.stringify(row), ...verdicts.map(({ subject }) => subject)]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
