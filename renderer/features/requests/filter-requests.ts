// Filters the list of requests, and counts requests for each value of each facet. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import {
  FACETS,
  type FacetName,
  factsOf,
  type RequestFacts,
} from '../../parts/requests/request-facts.ts'
import type { TimeSpan } from '../../parts/requests/timeline.ts'
import { brushOf, chosenOf, type RequestsSearch } from './requests-search.ts'

export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly isChosen: boolean
}

export interface FilteredRequests {
  /** The matching entries, in their original order. */
  readonly entries: readonly JournalEntry[]
  /** The entries that match all filters but the selected time. */
  readonly atAnyTime: readonly JournalEntry[]
  /**
   * The values of each facet, with their counts. Each count ignores the chosen values of its own facet, so the user
   * sees what another choice would show.
   */
  readonly facets: ByFacet<readonly FacetValue[]>
  /** The number of refused requests among those that match all other filters. */
  readonly refused: number
  /** The number of requests of the inspector's own pages, which the list hides unless the user shows them. */
  readonly own: number
}

type ByFacet<Value> = Readonly<Record<FacetName, Value>>

/** Filters and counts in one pass. An entry that only one facet excludes still counts for the values of that facet. */
export function filterRequests(
  entries: readonly JournalEntry[],
  search: RequestsSearch,
): FilteredRequests {
  const chosen = byFacet((facet) => chosenOf(search, facet))
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const brush = brushOf(search)
  const { slower = 0 } = search
  const found = new Found()
  let own = 0
  for (const entry of entries) {
    const facts = factsOf(entry)
    if (facts.isOwn) own += 1
    if (!isSearched(facts, search, words) || entry.duration_ms < slower) continue
    const failing = failingFacet(chosen, facts)
    const isWanted = search.refused === undefined || facts.isRefused
    const isNow = isWithin(facts, brush)
    if (failing === undefined) found.add(entry, isWanted, isNow)
    else if (failing !== 'several' && isWanted && isNow) found.count(failing, facts)
  }
  const { shown, atAnyTime, refused } = found
  return { entries: shown, atAnyTime, facets: facetsOf(found.counts, chosen), refused, own }
}

/** Collects the results of one pass over the entries. */
class Found {
  readonly shown: JournalEntry[] = []
  readonly atAnyTime: JournalEntry[] = []
  readonly counts = byFacet(() => new Map<string, number>())
  refused = 0

  /** Adds an entry that no facet excludes. */
  add(entry: JournalEntry, isWanted: boolean, isNow: boolean): void {
    const facts = factsOf(entry)
    if (isNow && facts.isRefused) this.refused += 1
    if (!isWanted) return
    this.atAnyTime.push(entry)
    if (!isNow) return
    this.shown.push(entry)
    for (const facet of FACETS) this.count(facet, facts)
  }

  count(facet: FacetName, facts: RequestFacts): void {
    const counts = this.counts[facet]
    const value = facts[facet]
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
}

function isSearched(
  { isOwn, haystack, route }: RequestFacts,
  { own, route: wanted }: RequestsSearch,
  words: readonly string[],
): boolean {
  if (isOwn && own === undefined) return false
  if (wanted !== undefined && route !== wanted) return false
  return words.every((word) => haystack.includes(word))
}

function isWithin({ arrivedAt }: RequestFacts, brush: TimeSpan | undefined): boolean {
  return brush === undefined || (arrivedAt >= brush.from && arrivedAt < brush.to)
}

/** Returns the only facet that excludes the request, or `several`; `undefined` when no facet does. */
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
