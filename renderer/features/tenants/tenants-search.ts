// What the address of the groups and tenants holds beside its path: the group, the open sheet, and what a tenant is compared with.
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const PROJECT_PARTS = ['overview', 'auth', 'switches', 'structure'] as const
export type ProjectPart = (typeof PROJECT_PARTS)[number]

export const GROUP_SHEETS = ['provision', 'keys'] as const
export type GroupSheet = (typeof GROUP_SHEETS)[number]

export interface TenantsSearch {
  /** Id of the group; the first when absent. `none`: projects without a group. */
  readonly group?: string | undefined
  readonly q?: string | undefined
  /** A sheet about the group. */
  readonly sheet?: GroupSheet | undefined
  /** Slug of the project whose sheet is open. */
  readonly project?: string | undefined
  /** Open part of that sheet; the overview when absent. */
  readonly part?: ProjectPart | undefined
  /** Slug of the project its structure is compared with. */
  readonly with?: string | undefined
}

/** In place of a group's id. */
export const NO_GROUP = 'none'

export const parseTenantsSearch: SearchReader<TenantsSearch> = searchReader<TenantsSearch>({
  group: text,
  q: text,
  sheet: oneOf(GROUP_SHEETS),
  project: text,
  part: oneOf(PROJECT_PARTS, 'overview'),
  with: text,
})

/** The search with nothing open. */
export function withoutSheet({ group, q }: TenantsSearch): TenantsSearch {
  return { group, q }
}
