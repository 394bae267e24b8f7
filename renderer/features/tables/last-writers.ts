// Finds who wrote a column of a row last, in the row's recorded changes. Pure.
import type { RowHistory, RowHistoryEntry } from '../../../emulator/contract/history.ts'

/** `structure`: the column was added with a value after the row was created. `unknown`: no recorded change wrote the column. */
export type LastWriter =
  | { readonly kind: 'change'; readonly change: RowHistoryEntry }
  | { readonly kind: 'structure' }
  | { readonly kind: 'unknown' }

/**
 * @param history newest first
 * @param value the column's value
 * @param before considers only changes with a lower sequence; all when undefined
 */
export function lastWriter(
  { changes }: Pick<RowHistory, 'changes'>,
  column: string,
  value: string | null,
  before: number = Number.POSITIVE_INFINITY,
): LastWriter {
  for (const change of changes) {
    if (change.sequence >= before) continue
    if (change.kind === 'DELETE') break
    if (Object.hasOwn(change.columns, column)) return { kind: 'change', change }
    // A new row's entry leaves out columns that are null.
    if (change.kind === 'INSERT')
      return value === null ? { kind: 'change', change } : { kind: 'structure' }
  }
  return { kind: 'unknown' }
}
