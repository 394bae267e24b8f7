// Builds the rows that the grid shows, from the owner's page or from an explanation, and computes column widths. Pure.
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { RowsPage, TableColumn } from '../../../emulator/contract/tables.ts'
import { type CellKind, displayText, kindOfType } from '../../parts/cell-kind.ts'
import { keyReader, type RowKey, rowKeyText } from '../../parts/row-key.ts'
import { shortType } from '../../parts/short-type.ts'

export interface ShownRow {
  /** The row's key as text. The key identifies the row in the address and in the selection. */
  readonly id: string
  readonly key: RowKey
  readonly cells: Readonly<Record<string, string | null>>
  /** The policies' decision for the identity, or `undefined` for the owner. */
  readonly verdict: { readonly allowed: boolean; readonly reason: string } | undefined
}

/** Builds rows from a page. The page's columns name the cells; the structure's columns define the key. */
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

/** Least width in px of columns whose values need more room than their text: editors, switches and lists. */
const LEAST: Readonly<Partial<Record<CellKind, number>>> = {
  boolean: 84,
  choice: 112,
  date: 108,
  json: 160,
  timestamp: 132,
  time: 100,
}
/** Greatest initial width in px. An id is rarely read to its end. */
const WIDEST = 320
const WIDEST_UUID = 176
/** Greatest width in px where the grid has room to spare. */
const WIDEST_WITH_ROOM = 640

/**
 * Initial width of a column in px, from its content and its header.
 * @param longest Length of the column's longest shown text; `undefined` before rows are known
 */
export function widthOf(
  { name, type, choices, marks }: SizedColumn,
  longest: number | undefined,
): number {
  const kind = kindOfType(type, choices)
  const head = Math.max(name.length * 8 + marks * 18, shortType(type).length * 7)
  const content = (longest ?? TYPICAL[kind] ?? 16) * 8
  const widest = kind === 'uuid' ? Math.max(WIDEST_UUID, head + 24) : WIDEST
  return Math.min(widest, Math.max(64, LEAST[kind] ?? 0, head + 24, content + 20))
}

/** Width in px at which the column shows its whole values, for a grid with room to spare. */
export function mostOf({ marks }: SizedColumn, longest: number | undefined): number {
  return Math.min(WIDEST_WITH_ROOM, (longest ?? 0) * 8 + 20 + marks * 18)
}

export interface SizedColumn extends Pick<TableColumn, 'name' | 'type' | 'choices'> {
  /** Number of icons in the header and in front of the values. */
  readonly marks: number
}

/** Characters of a usual value, for a table without rows. */
const TYPICAL: Readonly<Partial<Record<CellKind, number>>> = { number: 6, uuid: 18, text: 20 }

/** Length of the longest text of each column, as its cells show it. */
export function longestTexts(
  columns: readonly TableColumn[],
  rows: readonly ShownRow[],
): ReadonlyMap<string, number> {
  return new Map(
    columns.map(({ choices, name, type }) => {
      const kind = kindOfType(type, choices)
      const lengths = rows.map(({ cells }) => displayText(kind, cells[name] ?? 'null').length)
      return [name, Math.max(0, ...lengths)]
    }),
  )
}
