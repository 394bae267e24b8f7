// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import { parseRowKeyText, rowKeyText } from '../../parts/row-key.ts'
import { filterText, orderText, parseFilterTexts, parseOrderText } from './filters.ts'

export interface TablesSearch {
  /** Through whose eyes, as identity-text writes it; left out for the owner, who sees everything. */
  readonly as?: string
  /** Filters as filters.ts writes them; all must hold. */
  readonly where?: readonly string[]
  readonly sort?: string
  /** The open row's key, as row-key writes it. */
  readonly row?: string
  /** What the open row's sheet shows; its columns unless told. */
  readonly show?: 'why'
  /** Whether rows hidden from the identity are left out; they are shown unless given. */
  readonly hidden?: 'off'
}

export function parseTablesSearch(raw: Readonly<Record<string, unknown>>): TablesSearch {
  const identity = parseIdentityText(raw['as'])
  const where = parseFilterTexts(raw['where']).map(filterText)
  const order = parseOrderText(raw['sort'])
  const row = parseRowKeyText(raw['row'])
  return {
    ...(identity === undefined ? {} : { as: identityText(identity) }),
    ...(where.length === 0 ? {} : { where }),
    ...(order === undefined ? {} : { sort: orderText(order) }),
    ...(row === undefined ? {} : { row: rowKeyText(row) }),
    ...(raw['show'] === 'why' ? { show: 'why' } : {}),
    ...(raw['hidden'] === 'off' ? { hidden: 'off' } : {}),
  }
}
