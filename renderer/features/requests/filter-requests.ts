// Filters the list of requests, and counts requests for each value of each facet. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { FACETS, type FacetName, factsOf, type RequestFacts } from './request-facts.ts'
import { chosenOf, type RequestsSearch } from './requests-search.ts'

export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly isChosen: boolean
}

export interface FilteredRequests {
  /** The matching entries, in their original order. */
  readonly entries: readonly JournalEntry[]
  /**
   * The values of each facet, with their counts. Each count ignores the chosen values of its own facet, so the user
   * sees what another choice would show.
   */
  readonly facets: ByFacet<readonly FacetValue[]>
  /** The number of refused requests that the other filters match. */
  readonly refused: number
  /** The number of requests of the inspector's own pages, which the list hides unless the user shows them. */
  readonly own: number
}

type ByFacet<Value> = Readonly<Record<FacetName, Value>>

/** Filters and counts in one pass. An entry that only one facet excludes still counts for that facet's values. */
export function filterRequests(
  entries: readonly JournalEntry[],
  search: RequestsSearch,
): FilteredRequests {
  const chosen = byFacet((facet) => chosenOf(search, facet))
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const counts = byFacet(() => new Map<string, number>())
  const shown: JournalEntry[] = []
  let refused = 0
  let own = 0
  for (const entry of entries) {
    const facts = factsOf(entry)
    if (facts.isOwn) own += 1
    if (!isSearched(facts, search, words)) continue
    const failing = failingFacet(chosen, facts)
    if (failing === undefined && facts.isRefused) refused += 1
    if (failing === 'several' || (search.refused !== undefined && !facts.isRefused)) continue
    if (failing !== undefined) {
      count(counts[failing], facts[failing])
      continue
    }
    shown.push(entry)
    for (const facet of FACETS) count(counts[facet], facts[facet])
  }
  return { entries: shown, facets: facetsOf(counts, chosen), refused, own }
}

function isSearched(
  { isOwn, haystack }: RequestFacts,
  { own }: RequestsSearch,
  words: readonly string[],
): boolean {
  return (!isOwn || own !== undefined) && words.every((word) => haystack.includes(word))
}

/** Returns the facet that excludes the request; `undefined` when none does. */
function failingFacet(
  chosen: ByFacet<ReadonlySet<string>>,
  facts: RequestFacts,
): FacetName | 'several' | undefined {
  let failing: FacetName | undefined
  for (const facet of FACETS)
    if (!isChosen(chosen[facet], facts, facet)) {
      if (failing !== undefined) return 'several'
      failing = facet
    }
  return failing
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function byFacet<Value>(make: (facet: FacetName) => Value): ByFacet<Value> {
  return {
    service: make('service'),
    status: make('status'),
    code: make('code'),
    method: make('method'),
    tenant: make('tenant'),
    identity: make('identity'),
  }
}

function isChosen(chosen: ReadonlySet<string>, facts: RequestFacts, facet: FacetName): boolean {
  return chosen.size === 0 || chosen.has(facts[facet])
}

function facetsOf(
  counts: ByFacet<ReadonlyMap<string, number>>,
  chosen: ByFacet<ReadonlySet<string>>,
): FilteredRequests['facets'] {
  return byFacet((facet) => {
    // A chosen value stays in the list even when no request has it, so that the user can remove the value.
    const all = new Map([
      ...[...chosen[facet]].map((value) => [value, 0] as const),
      ...counts[facet],
    ])
    return [...all]
      .map(([value, count]) => ({ value, count, isChosen: chosen[facet].has(value) }))
      .sort(
        (a, b) => (isCountedFirst(facet) ? b.count - a.count : 0) || a.value.localeCompare(b.value),
      )
  })
}

// The values of these facets are sorted by count. The values of other facets keep their order while counts change.
function isCountedFirst(facet: FacetName): boolean {
  return facet === 'code' || facet === 'tenant' || facet === 'identity'
}
