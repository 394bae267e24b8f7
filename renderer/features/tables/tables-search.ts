// What the address of the tables screen holds beside its path.
import { identity, oneOf, rowKey, type SearchReader, searchReader } from '../../parts/search.ts'
import { filterText, orderText, parseFilterTexts, parseOrderText } from './filters.ts'

export interface TablesSearch {
  /** Identity whose view of the rows is shown, as identity-text writes it; the owner, who sees every row, when absent. */
  readonly as?: string | undefined
  /** Filters as filters.ts writes them; all must hold. */
  readonly where?: readonly string[] | undefined
  readonly sort?: string | undefined
  /** The open row's key, as row-key writes it. */
  readonly row?: string | undefined
  /** What the open row's sheet shows; its columns when absent. */
  readonly show?: 'why' | undefined
  /** `off` leaves out rows that the identity may not see; they appear dimmed when absent. */
  readonly hidden?: 'off' | undefined
}

export const parseTablesSearch: SearchReader<TablesSearch> = searchReader<TablesSearch>({
  as: identity,
  where: filters,
  sort: order,
  row: rowKey,
  show: oneOf(['why']),
  hidden: oneOf(['off']),
})

function filters(value: unknown): readonly string[] | undefined {
  const texts = parseFilterTexts(value).map(filterText)
  return texts.length === 0 ? undefined : texts
}

function order(value: unknown): string | undefined {
  const known = parseOrderText(value)
  return known && orderText(known)
}
