// Builds the rows that the grid shows, from the owner's page or from an explanation, and computes column widths. Pure.
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { RowsPage, TableColumn } from '../../../emulator/contract/tables.ts'
import { kindOfType } from '../../parts/cell-kind.ts'
import { keyOfRow, type RowKey, rowKeyText } from '../../parts/row-key.ts'

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
  return page.rows.map((values) => {
    const cells = Object.fromEntries(
      page.columns.map(({ name }, position) => [name, values[position] ?? null]),
    )
    const key = keyOfRow(cells, columns)
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

const WIDTHS = {
  text: 200,
  number: 92,
  boolean: 84,
  choice: 120,
  json: 220,
  array: 160,
  date: 108,
  timestamp: 200,
  time: 108,
  uuid: 160,
  bytes: 120,
} as const

/** Initial width of a column in px, from its type and the text in its header. */
export function widthOf(props: Pick<TableColumn, 'name' | 'type' | 'choices'>): number {
  const { name, type, choices } = props
  // The header contains the column's name, its type and key icons.
  const head = name.length * 8 + Math.min(shortType(type).length, 14) * 7 + 56
  return Math.max(WIDTHS[kindOfType(type, choices)], Math.min(head, 260))
}

const SHORT_TYPES: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'double precision': 'float8',
  'character varying': 'varchar',
}

/** The usual short name of a type. */
export function shortType(type: string): string {
  return SHORT_TYPES[type] ?? type
}
