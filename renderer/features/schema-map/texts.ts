// The texts of the schema map, so that you can review them together. Pure.
import type { ReadableTable } from '../../../emulator/contract/readable-tables.ts'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import type { ShownColumns } from './map-model.ts'
import type { ReadLook } from './read-looks.ts'

export const TITLE = 'Schema map'

export const COLUMNS: Readonly<Record<ShownColumns, string>> = {
  keys: 'key columns',
  all: 'all columns',
  none: 'no columns',
}

export const EMPTY = {
  title: 'No tables yet',
  detail: 'Create a table in the SQL console to see it here.',
} as const

/** `9 tables, 1 view`. */
export function sizeText(tables: readonly Pick<TableStructure, 'kind'>[]): string {
  const views = tables.filter(({ kind }) => kind === 'view' || kind === 'materialized_view').length
  const own = countOf(tables.length - views, 'table')
  return views === 0 ? own : `${own}, ${countOf(views, 'view')}`
}

/** Names of the marks, for the legend. */
export const READS: Readonly<Record<ReadLook, string>> = {
  open: 'all rows, by a stranger',
  wide: 'some rows, by a stranger',
  all: 'all rows',
  some: 'some rows',
  none: 'no rows',
  empty: 'empty table',
  refused: 'refused',
  unknown: 'unknown',
}

/** Says in a box how many rows the table has, or how many of them the identity reads. */
export function rowsText(table: TableStructure, readable: ReadableTable | undefined): string {
  if (readable === undefined) return plainRows(table)
  const { reads, visible, total } = readable
  switch (reads) {
    case 'all':
      return `reads all ${formatNumber(total ?? 0)}`
    case 'some':
      return `reads ${formatNumber(visible ?? 0)} of ${formatNumber(total ?? 0)}`
    case 'none':
      return `reads none of ${formatNumber(total ?? 0)}`
    case 'empty':
      return 'no rows'
    case 'refused':
    case 'unknown':
      return READS[reads]
  }
}

function plainRows({ kind, rows, is_exact: isExact }: TableStructure): string {
  if (rows === null) return kind === 'view' ? 'view' : ''
  return isExact ? countOf(rows, 'row') : `about ${countOf(rows, 'row')}`
}

export function policiesText({ kind, policies, is_closed: isClosed }: TableStructure): string {
  if (isClosed) return 'platform'
  if (kind === 'view' || kind === 'materialized_view') return ''
  return policies === 0 ? 'no policies' : countOf(policies, 'policy', 'policies')
}

/** The accessible name of a box. */
export function boxLabel(table: TableStructure, readable: ReadableTable | undefined): string {
  const security =
    table.kind === 'view' || table.is_closed
      ? ''
      : `row-level security ${table.rls_enabled ? 'on' : 'off'}`
  return [table.name, rowsText(table, readable), security, policiesText(table)]
    .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
    .join(', ')
}
