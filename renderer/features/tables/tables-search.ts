// Search parameters in the address of the tables screen.
import {
  identity,
  oneOf,
  rowKey,
  type SearchReader,
  searchReader,
  text,
} from '../../parts/search.ts'
import { filterText, orderText, parseFilterTexts, parseOrderText } from './filters.ts'

/** A part of the row's sheet, besides the columns. */
export type RowPart = 'why' | 'history'

export interface TablesSearch {
  /**
   * The identity that views the rows, in the format of identity-text.ts. The owner views every row when the parameter
   * is absent.
   */
  readonly as?: string | undefined
  /** Filters in the format of filters.ts. A row must match all filters. */
  readonly where?: readonly string[] | undefined
  readonly sort?: string | undefined
  /** Key of the open row, in the format of row-key.ts. */
  readonly row?: string | undefined
  /** The open part of the row's sheet. The columns are open when the parameter is absent. */
  readonly show?: RowPart | undefined
  /**
   * The value `off` omits rows that the identity may not see. These rows appear dimmed when the parameter is absent.
   */
  readonly hidden?: 'off' | undefined
  /** The past instant of the rows, as contract/history.ts defines it. The present rows show when the parameter is absent. */
  readonly at?: string | undefined
  /** The open sheet that edits the structure. */
  readonly sheet?: 'structure' | 'new_table' | undefined
}

export const parseTablesSearch: SearchReader<TablesSearch> = searchReader<TablesSearch>({
  as: identity,
  where: filters,
  sort: order,
  row: rowKey,
  show: oneOf(['why', 'history']),
  hidden: oneOf(['off']),
  at: text,
  sheet: oneOf(['structure', 'new_table']),
})

function filters(value: unknown): readonly string[] | undefined {
  const texts = parseFilterTexts(value).map(filterText)
  return texts.length === 0 ? undefined : texts
}

function order(value: unknown): string | undefined {
  const known = parseOrderText(value)
  return known && orderText(known)
}
