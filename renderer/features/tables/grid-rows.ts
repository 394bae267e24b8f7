// Rows as the grid shows them, whether they came as the owner's page or with somebody's verdicts. Pure.
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { RowsPage } from '../../../emulator/contract/tables.ts'
import { keyOfRow, type RowKey, rowKeyText } from '../../parts/row-key.ts'

export interface GridRow {
  /** The key's text: names the row in the address and in the selection. */
  readonly id: string
  readonly key: RowKey
  readonly cells: Readonly<Record<string, string | null>>
  /** What the identity's policies say; left out for the owner. */
  readonly verdict: { readonly allowed: boolean; readonly reason: string } | undefined
}

/** The page's own columns name the cells; the structure's tell which of them are the key. */
export function rowsOfPage(
  page: RowsPage,
  columns: readonly { readonly name: string; readonly is_key: boolean }[],
): readonly GridRow[] {
  return page.rows.map((values) => {
    const cells = Object.fromEntries(
      page.columns.map(({ name }, position) => [name, values[position] ?? null]),
    )
    const key = keyOfRow(cells, columns)
    return { id: rowKeyText(key), key, cells, verdict: undefined }
  })
}

export function rowsOfExplanation({ rows }: Explanation): readonly GridRow[] {
  return rows.map(({ key, row, allowed, reason }) => ({
    id: rowKeyText(key),
    key,
    cells: row,
    verdict: { allowed, reason },
  }))
}

/** The grid's rows without those that the identity may not see. */
export function withoutHiddenRows(rows: readonly GridRow[]): readonly GridRow[] {
  return rows.filter(({ verdict }) => verdict?.allowed !== false)
}
