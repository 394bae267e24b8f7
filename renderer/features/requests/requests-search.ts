// What the address of this screen holds beside its path: text search, chosen facets and the open part of the sheet. Pure.
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
  /** `yes` shows the requests to the emulator's own API, this page's among them. */
  readonly own?: 'yes'
  /** Open part of the sheet; the overview when absent. */
  readonly part?: RequestPart
}

export function parseRequestsSearch(raw: Readonly<Record<string, unknown>>): RequestsSearch {
  const search: { -readonly [Name in keyof RequestsSearch]: RequestsSearch[Name] } = {}
  const q = textOf(raw['q'])
  if (q !== undefined) search.q = q
  for (const name of FACETS) {
    const value = textOf(raw[name])
    if (value !== undefined) search[name] = value
  }
  if (raw['own'] === 'yes') search.own = 'yes'
  const part = REQUEST_PARTS.find((known) => known === raw['part'])
  if (part !== undefined && part !== 'overview') search.part = part
  return search
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

/** The search without any filter; what else it holds stays. */
export function withoutFilters(search: RequestsSearch): RequestsSearch {
  return {
    ...(search.own === undefined ? {} : { own: search.own }),
    ...(search.part === undefined ? {} : { part: search.part }),
  }
}

export function hasFilters(search: RequestsSearch): boolean {
  return search.q !== undefined || FACETS.some((facet) => search[facet] !== undefined)
}

// The router reads `q=42` as a number.
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
