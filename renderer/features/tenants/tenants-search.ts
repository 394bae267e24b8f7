// What the address of this screen holds beside its path: the group, the open sheet, and what a tenant is compared with. Pure.
import { choiceIn, compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export const PROJECT_PARTS = ['overview', 'auth', 'switches', 'structure'] as const
export type ProjectPart = (typeof PROJECT_PARTS)[number]

export const GROUP_SHEETS = ['provision', 'keys'] as const
export type GroupSheet = (typeof GROUP_SHEETS)[number]

export interface TenantsSearch {
  /** Id of the group; the first when absent. `none`: projects without a group. */
  readonly group?: string
  readonly q?: string
  /** A sheet about the group. */
  readonly sheet?: GroupSheet
  /** Slug of the project whose sheet is open. */
  readonly project?: string
  /** Open part of that sheet; the overview when absent. */
  readonly part?: ProjectPart
  /** Slug of the project its structure is compared with. */
  readonly with?: string
}

/** In place of a group's id. */
export const NO_GROUP = 'none'

export function parseTenantsSearch(raw: RawSearch): TenantsSearch {
  const part = choiceIn(raw, 'part', PROJECT_PARTS)
  return compact<TenantsSearch>({
    group: textIn(raw, 'group'),
    q: textIn(raw, 'q'),
    sheet: choiceIn(raw, 'sheet', GROUP_SHEETS),
    project: textIn(raw, 'project'),
    part: part === 'overview' ? undefined : part,
    with: textIn(raw, 'with'),
  })
}

/** The search with nothing open. */
export function withoutSheet(search: TenantsSearch): TenantsSearch {
  return compact<TenantsSearch>({ group: search.group, q: search.q })
}
