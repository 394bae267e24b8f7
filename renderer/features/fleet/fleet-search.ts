// Search parameters in the address of the fleet screen: the group, the filters, the order and the open sheet.
import type { GridOrder } from '../../parts/grid-order.ts'
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const FLEET_SHEETS = ['rehearse', 'apply', 'publish'] as const
export type FleetSheet = (typeof FLEET_SHEETS)[number]

/** Columns that the list can be sorted by. */
export const FLEET_ORDERS = [
  'tenant',
  'version',
  'steps',
  'differences',
  'users',
  'size',
  'active',
] as const
export type FleetOrder = (typeof FLEET_ORDERS)[number]

export interface FleetSearch extends GridOrder<FleetOrder> {
  /** The id of the open group. The first group is open when the parameter is absent. */
  readonly group?: string | undefined
  /** The list shows only tenants whose slug or external ID contains this text. */
  readonly q?: string | undefined
  /** Chosen facts, separated by commas. */
  readonly facts?: string | undefined
  /** Slug of the open tenant, template or version. */
  readonly tenant?: string | undefined
  readonly sheet?: FleetSheet | undefined
}

export const parseFleetSearch: SearchReader<FleetSearch> = searchReader<FleetSearch>({
  group: text,
  q: text,
  facts: text,
  sort: oneOf(FLEET_ORDERS),
  order: oneOf(['desc']),
  tenant: text,
  sheet: oneOf(FLEET_SHEETS),
})

/** Closes all sheets and keeps the group, the filters and the order. */
export function withoutSheet(search: FleetSearch): FleetSearch {
  return { ...search, tenant: undefined, sheet: undefined }
}
