// Shows recorded changes as the API does, and finds the changes of one row. Pure.
import type { RowHistoryEntry } from '../../contract/history.ts'
import type { RecordedChange } from './read-history.ts'

type Cells = RecordedChange['before']

export function shownChange(change: RecordedChange): RowHistoryEntry {
  const { after, at, before, kind, requestId, role, sequence, table, transaction, userId } = change
  return {
    sequence,
    at,
    transaction,
    request_id: requestId ?? null,
    role,
    user_id: userId ?? null,
    kind,
    table: table.name,
    key: keyOf(change),
    columns: Object.fromEntries(
      table.columns
        .map(
          ({ name }, index) => [name, [before?.[index] ?? null, after?.[index] ?? null]] as const,
        )
        .filter(([, [old, fresh]]) => old !== fresh),
    ),
  }
}

/** Returns the cells of the row's key, or of the whole row when the table has no key. */
export function keyOf({ after, before, table }: RecordedChange): Record<string, string | null> {
  const cells: Cells = after ?? before
  if (cells === undefined) return {}
  const isPart = (name: string) => table.key.length === 0 || table.key.includes(name)
  return Object.fromEntries(
    table.columns.flatMap(({ name }, index) =>
      isPart(name) ? [[name, cells[index] ?? null]] : [],
    ),
  )
}

/** Whether the change is one of the row with this key, before or after it. @param key values in the order of the key's columns */
export function concernsKey(change: RecordedChange, key: readonly string[]): boolean {
  const { after, before, table } = change
  const places = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  const hasKey = (cells: Cells): boolean =>
    cells !== undefined &&
    places.length === key.length &&
    places.every((place, index) => cells[place] === key[index])
  return hasKey(before) || hasKey(after)
}
