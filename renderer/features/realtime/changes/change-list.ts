// Joins past and live row changes into one list, and filters the list. Pure.
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import type { RealtimeSearch } from '../realtime-search.ts'

export const CHANGES_KEPT = 2_000

/** Returns past and live changes of one schema, newest first, without duplicates. */
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

/** Returns the names of the changed tables, in alphabetical order. */
export function tablesOf(changes: readonly JudgedChange[]): readonly string[] {
  return [...new Set(changes.map(({ table }) => table))].sort()
}

function matches({ table, row, verdicts }: JudgedChange, words: readonly string[]): boolean {
  const text = [table, JSON.stringify(row), ...verdicts.map(({ subject }) => subject)]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
