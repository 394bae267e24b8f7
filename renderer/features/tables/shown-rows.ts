// Builds the rows that the grid shows, from the owner's page or from an explanation. Pure.
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { RowsPage } from '../../../emulator/contract/tables.ts'
import { keyReader, type RowKey, rowKeyText } from '../../parts/row-key.ts'

export interface ShownRow {
  /** The row's key as text. The key identifies the row in the address and in the selection. */
  readonly id: string
  readonly key: RowKey
  readonly cells: Readonly<Record<string, string | null>>
  /** The policies' decision for the identity, or `undefined` for the owner. */
  readonly verdict: { readonly allowed: boolean; readonly reason: string } | undefined
}

/** Builds rows from a page. The page's columns give the names of cells; the structure's columns define the key. */
export function rowsOfPage(
  page: RowsPage,
  columns: readonly { readonly name: string; readonly is_key: boolean }[],
): readonly ShownRow[] {
  const keyOf = keyReader(columns)
  return page.rows.map((values) => {
    const cells = Object.fromEntries(
      page.columns.map(({ name }, position) => [name, values[position] ?? null]),
    )
    const key = keyOf(cells)
    return { id: rowKeyText(key), key, cells, verdict: undefined }
  })
}

export interface Columned {
  readonly columns: readonly { readonly name: string }[]
}

/**
 * Whether an answer has every column of the structure. After a column was renamed, rows that were read before have no cells for
 * the new column. An answer without columns has no rows, for example the explanation of a closed table.
 */
export function hasColumns(answer: Columned, structure: Columned): boolean {
  const names = new Set(answer.columns.map(({ name }) => name))
  return names.size === 0 || structure.columns.every(({ name }) => names.has(name))
}

export function rowsOfExplanation({ rows }: Explanation): readonly ShownRow[] {
  return rows.map(({ key, row, allowed, reason }) => ({
    id: rowKeyText(key),
    key,
    cells: row,
    verdict: { allowed, reason },
  }))
}

/** Whether the row exists but the identity may not see it. */
export function isHidden({ verdict }: ShownRow): boolean {
  return verdict?.allowed === false
}
