// Search parameters in the address of the groups and tenants screen: the group, the open sheet, and the project to compare with.
import type { GridOrder } from '../../parts/grid-order.ts'
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const PROJECT_PARTS = ['overview', 'auth', 'switches', 'structure'] as const
export type ProjectPart = (typeof PROJECT_PARTS)[number]

export const GROUP_SHEETS = ['provision', 'keys'] as const
export type GroupSheet = (typeof GROUP_SHEETS)[number]

/** Columns that the list can be sorted by. */
export const TENANT_ORDERS = [
  'slug',
  'state',
  'version',
  'steps',
  'structure',
  'users',
  'database',
  'storage',
  'active',
] as const
export type TenantOrder = (typeof TENANT_ORDERS)[number]

export interface TenantsSearch extends GridOrder<TenantOrder> {
  /**
   * The id of the open group, or `none` for projects without a group. The first group is open when the parameter is
   * absent.
   */
  readonly group?: string | undefined
  readonly q?: string | undefined
  /** The open sheet about the group. */
  readonly sheet?: GroupSheet | undefined
  /** Slug of the open project. */
  readonly project?: string | undefined
  /** The open part of the project's sheet. The overview is open when the parameter is absent. */
  readonly part?: ProjectPart | undefined
  /** Slug of the project to compare the open project's structure with. */
  readonly with?: string | undefined
}

/** The word in the address that means projects without a group. */
export const NO_GROUP = 'none'

export const parseTenantsSearch: SearchReader<TenantsSearch> = searchReader<TenantsSearch>({
  group: text,
  q: text,
  sort: oneOf(TENANT_ORDERS),
  order: oneOf(['desc']),
  sheet: oneOf(GROUP_SHEETS),
  project: text,
  part: oneOf(PROJECT_PARTS, 'overview'),
  with: text,
})

/** Closes all sheets and keeps the group, the filter and the order. */
export function withoutSheet({ group, order, q, sort }: TenantsSearch): TenantsSearch {
  return { group, q, sort, order }
}
