// The order of a list, read from the address. Used by the screens of the fleet, of groups and tenants, and of users. Pure.
import type { GridSort } from '../ui/grid-columns.ts'

export interface GridOrder<Column extends string> {
  /** The column that sorts the list. The list is in order of creation when the parameter is absent. */
  readonly sort?: Column | undefined
  readonly order?: 'desc' | undefined
}

/** The column and the direction of the arrow in the grid's header. */
export function gridSortOf({ order, sort }: GridOrder<string>): GridSort | undefined {
  return sort === undefined ? undefined : { column: sort, isDescending: order === 'desc' }
}

/** The order after a click on a header: ascending first, then descending, then by creation. */
export function orderAfter<Column extends string>(
  before: GridOrder<Column>,
  columns: readonly Column[],
  clicked: string,
): GridOrder<Column> {
  const sort = columns.find((one) => one === clicked)
  if (before.sort !== sort) return { sort, order: undefined }
  if (before.order === undefined) return { sort, order: 'desc' }
  return { sort: undefined, order: undefined }
}

export type OrderValue = string | number | null

export function inOrder<Row, Column extends string>(
  rows: readonly Row[],
  { order, sort }: GridOrder<Column>,
  values: Readonly<Record<Column, (row: Row) => OrderValue>>,
): readonly Row[] {
  if (sort === undefined) return rows
  const read = values[sort]
  const sign = order === 'desc' ? -1 : 1
  return rows.toSorted((a, b) => sign * compareValues(read(a), read(b)))
}

// Unknown values come first.
function compareValues(a: OrderValue, b: OrderValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'string' && typeof b === 'string'
    ? a.localeCompare(b, 'en', { numeric: true })
    : Number(a) - Number(b)
}
