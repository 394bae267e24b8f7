// What the address of this screen holds beside its path: text search, chosen facets and the open part of the sheet. Pure.
import { choiceIn, compact, type RawSearch, textIn } from '../../parts/search-values.ts'
import { FACETS, type FacetName } from './request-facts.ts'

export const REQUEST_PARTS = [
  'overview',
  'exchange',
  'credential',
  'sql',
  'changes',
  'resend',
] as const
export type RequestPart = (typeof REQUEST_PARTS)[number]

export interface RequestsSearch {
  /** Words that must all occur. */
  readonly q?: string
  /** Chosen values by facet, joined by commas. */
  readonly service?: string
  readonly status?: string
  readonly method?: string
  readonly tenant?: string
  readonly identity?: string
  /** Open part of the sheet; the overview when absent. */
  readonly part?: RequestPart
}

export function parseRequestsSearch(raw: RawSearch): RequestsSearch {
  const part = choiceIn(raw, 'part', REQUEST_PARTS)
  return compact<RequestsSearch>({
    q: textIn(raw, 'q'),
    service: textIn(raw, 'service'),
    status: textIn(raw, 'status'),
    method: textIn(raw, 'method'),
    tenant: textIn(raw, 'tenant'),
    identity: textIn(raw, 'identity'),
    part: part === 'overview' ? undefined : part,
  })
}

/** Chosen values of a facet. */
export function chosenOf(search: RequestsSearch, facet: FacetName): ReadonlySet<string> {
  return new Set((search[facet] ?? '').split(',').filter((value) => value !== ''))
}

/** The search with one value of a facet chosen, or no longer. */
export function withToggled(
  search: RequestsSearch,
  facet: FacetName,
  value: string,
): RequestsSearch {
  const chosen = new Set(chosenOf(search, facet))
  if (!chosen.delete(value)) chosen.add(value)
  const { [facet]: _before, ...rest } = search
  return chosen.size === 0 ? rest : { ...rest, [facet]: [...chosen].join(',') }
}

/** The search without any filter. */
export function withoutFilters(search: RequestsSearch): RequestsSearch {
  return search.part === undefined ? {} : { part: search.part }
}

export function hasFilters(search: RequestsSearch): boolean {
  return search.q !== undefined || FACETS.some((facet) => search[facet] !== undefined)
}
