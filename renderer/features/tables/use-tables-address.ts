// Reads and changes the address of the tables screen.
import { getRouteApi, useParams } from '@tanstack/react-router'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { RowFilter, RowsOrder } from '../../api/tables.ts'
import { parseIdentityText } from '../../parts/identity-text.ts'
import { parseRowKeyText, type RowKey } from '../../parts/row-key.ts'
import { useChangeSearch } from '../../parts/search.ts'
import {
  filterText,
  orderText,
  parseFilterTexts,
  parseOrderText,
  type Selection,
} from './filters.ts'
import type { RowPart, TablesSearch } from './tables-search.ts'

const route = getRouteApi('/t/$tenant/tables')

export interface TablesAddress {
  readonly tenant: string
  readonly table: string | undefined
  readonly search: TablesSearch
  /** `null` is the owner. */
  readonly identity: IdentityReference | null
  readonly filters: readonly RowFilter[]
  readonly order: RowsOrder | undefined
  readonly openKey: RowKey | undefined
  readonly filterBy: (filters: readonly RowFilter[]) => void
  /** Replaces filters and sort order at once. */
  readonly select: (selection: Selection) => void
  readonly sortBy: (order: RowsOrder | undefined) => void
  /** `row` is a key in the format of row-key.ts. A call with `undefined` closes the sheet. */
  readonly openRow: (row: string | undefined, show?: RowPart) => void
  readonly hideHiddenRows: (isHidden: boolean) => void
  /** Shows the rows of a past instant; of the present for `undefined`. */
  readonly goTo: (at: string | undefined) => void
  /** Opens a sheet that edits the structure; `undefined` closes it. */
  readonly openSheet: (sheet: TablesSearch['sheet']) => void
}

export function useTablesAddress(): TablesAddress {
  const { tenant } = route.useParams()
  const { table } = useParams({ strict: false })
  const asked = route.useSearch()
  // The owner has no hidden rows.
  const search =
    asked.as === undefined
      ? { ...asked, show: asked.show === 'why' ? undefined : asked.show, hidden: undefined }
      : asked
  const change = useChangeSearch<TablesSearch>()
  return {
    tenant,
    table,
    search,
    identity: parseIdentityText(search.as) ?? null,
    filters: parseFilterTexts(search.where),
    order: parseOrderText(search.sort),
    openKey: parseRowKeyText(search.row),
    filterBy: (filters) => change({ where: whereOf(filters) }),
    sortBy: (order) => change({ sort: order && orderText(order) }),
    select: ({ filters, order }) =>
      change({ where: whereOf(filters), sort: order && orderText(order) }, true),
    openRow: (row, show) =>
      change({ row, show: row === undefined ? undefined : show, sheet: undefined }, true),
    hideHiddenRows: (isHidden) => change({ hidden: isHidden ? 'off' : undefined }, true),
    goTo: (at) => change({ at, sheet: undefined }, true),
    openSheet: (sheet) => change({ sheet, row: undefined, show: undefined }, true),
  }
}

function whereOf(filters: readonly RowFilter[]): readonly string[] | undefined {
  return filters.length === 0 ? undefined : filters.map(filterText)
}
