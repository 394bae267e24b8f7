// Which requests the list shows, and how many there are of each value a facet could be set to. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { FACETS, type FacetName, factsOf, type RequestFacts } from './request-facts.ts'
import { chosenOf, type RequestsSearch } from './requests-search.ts'

export interface FacetValue {
  readonly value: string
  readonly count: number
  readonly isChosen: boolean
}

export interface FilteredRequests {
  /** In the order given. */
  readonly entries: readonly JournalEntry[]
  /** Of each facet its values, of long ones the most frequent first; each counted under the other facets' choice. */
  readonly facets: Readonly<Record<FacetName, readonly FacetValue[]>>
}

type Counts = Record<FacetName, Map<string, number>>

/** One pass over the entries: an entry that fails in exactly one facet still counts for that facet. */
export function filterRequests(
  entries: readonly JournalEntry[],
  search: RequestsSearch,
): FilteredRequests {
  const chosen = chosenByFacet(search)
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const counts: Counts = {
    service: new Map(),
    status: new Map(),
    method: new Map(),
    tenant: new Map(),
    identity: new Map(),
  }
  const shown: JournalEntry[] = []
  for (const entry of entries) {
    const facts = factsOf(entry)
    if (!words.every((word) => facts.haystack.includes(word))) continue
    let failed = 0
    let failing: FacetName | undefined
    for (const facet of FACETS)
      if (!isChosen(chosen[facet], facts, facet)) {
        failed += 1
        failing = facet
      }
    if (failed > 1) continue
    if (failing === undefined) {
      shown.push(entry)
      for (const facet of FACETS) count(counts[facet], facts[facet])
    } else count(counts[failing], facts[failing])
  }
  return { entries: shown, facets: facetsOf(counts, chosen) }
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function chosenByFacet(search: RequestsSearch): Readonly<Record<FacetName, ReadonlySet<string>>> {
  return {
    service: chosenOf(search, 'service'),
    status: chosenOf(search, 'status'),
    method: chosenOf(search, 'method'),
    tenant: chosenOf(search, 'tenant'),
    identity: chosenOf(search, 'identity'),
  }
}

function isChosen(chosen: ReadonlySet<string>, facts: RequestFacts, facet: FacetName): boolean {
  return chosen.size === 0 || chosen.has(facts[facet])
}

function facetsOf(
  counts: Counts,
  chosen: Readonly<Record<FacetName, ReadonlySet<string>>>,
): FilteredRequests['facets'] {
  const of = (facet: FacetName): readonly FacetValue[] => {
    // A value that was chosen stays visible when nothing has it any more, else it could not be taken back.
    const all = new Map([
      ...[...chosen[facet]].map((value) => [value, 0] as const),
      ...counts[facet],
    ])
    return [...all]
      .map(([value, count]) => ({ value, count, isChosen: chosen[facet].has(value) }))
      .sort(
        (a, b) => (isCountedFirst(facet) ? b.count - a.count : 0) || a.value.localeCompare(b.value),
      )
  }
  return {
    service: of('service'),
    status: of('status'),
    method: of('method'),
    tenant: of('tenant'),
    identity: of('identity'),
  }
}

// Of few values each keeps its place while the counts change.
function isCountedFirst(facet: FacetName): boolean {
  return facet === 'tenant' || facet === 'identity'
}
