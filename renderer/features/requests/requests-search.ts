// Search parameters in the address of the requests screen: the search, the chosen facets and the open part of the sheet.

import { FACETS, type FacetName } from '../../parts/requests/request-facts.ts'
import type { TimeSpan } from '../../parts/requests/timeline.ts'
import { REACHES, type Reach } from '../../parts/requests/timeline-reach.ts'
import { number, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const REQUEST_PARTS = [
  'overview',
  'exchange',
  'credential',
  'sql',
  'changes',
  'resend',
] as const
export type RequestPart = (typeof REQUEST_PARTS)[number]

export const REQUEST_ORDERS = ['slowest', 'fastest', 'most-rows', 'fewest-rows', 'oldest'] as const
export type RequestsOrder = (typeof REQUEST_ORDERS)[number]

export interface RequestsSearch {
  /** The list shows only requests that contain all these words. */
  readonly q?: string | undefined
  /** Chosen values of each facet, separated by commas. */
  readonly service?: string | undefined
  readonly status?: string | undefined
  readonly method?: string | undefined
  readonly tenant?: string | undefined
  readonly code?: string | undefined
  readonly identity?: string | undefined
  /** The list shows only requests of this route. */
  readonly route?: string | undefined
  /** The list shows only refused requests. */
  readonly refused?: 'only' | undefined
  /** The list also shows the requests of the inspector's own pages. */
  readonly own?: 'shown' | undefined
  /** The list shows only requests that took at least this many milliseconds. */
  readonly slower?: number | undefined
  /** The order of the list. The newest request is first when the parameter is absent. */
  readonly sort?: RequestsOrder | undefined
  /** The selected part of the timeline, in wall-clock milliseconds since 1970. `to` is exclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The time span that the timeline shows. */
  readonly reach?: Reach | undefined
  /** The open part of the sheet. The overview is open when the parameter is absent. */
  readonly part?: RequestPart | undefined
}

export const parseRequestsSearch: SearchReader<RequestsSearch> = searchReader<RequestsSearch>({
  q: text,
  service: text,
  status: text,
  method: text,
  tenant: text,
  code: text,
  identity: text,
  route: text,
  refused: oneOf(['only']),
  slower: number,
  sort: oneOf(REQUEST_ORDERS),
  own: oneOf(['shown']),
  from: number,
  to: number,
  reach: oneOf(REACHES, 'recent'),
  part: oneOf(REQUEST_PARTS, 'overview'),
})

/** Returns the chosen values of a facet as a set. */
export function chosenOf(search: RequestsSearch, facet: FacetName): ReadonlySet<string> {
  return new Set((search[facet] ?? '').split(',').filter((value) => value !== ''))
}

/** Adds a value to the chosen values of a facet, or removes a value that was chosen. */
export function withToggled(
  search: RequestsSearch,
  facet: FacetName,
  value: string,
): RequestsSearch {
  const chosen = new Set(chosenOf(search, facet))
  if (!chosen.delete(value)) chosen.add(value)
  return { ...search, [facet]: chosen.size === 0 ? undefined : [...chosen].join(',') }
}

/** Removes all filters from the search parameters. */
export function withoutFilters({ part, own, reach, sort }: RequestsSearch): RequestsSearch {
  return { part, own, reach, sort }
}

/** Returns the selected part of the timeline; `undefined` when nothing is selected. */
export function brushOf({ from, to }: RequestsSearch): TimeSpan | undefined {
  return from === undefined || to === undefined || from >= to ? undefined : { from, to }
}

export function hasFilters(search: RequestsSearch): boolean {
  const { q, refused, route, slower } = search
  if ([q, refused, route, slower, brushOf(search)].some((filter) => filter !== undefined))
    return true
  return FACETS.some((facet) => search[facet] !== undefined)
}
