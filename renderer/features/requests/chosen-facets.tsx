// What the list is narrowed to, each choice with a button that takes it back.
import { X } from 'lucide-react'
import type { ReactElement } from 'react'
import { FACET_TITLES, facetValueName } from './facet-rail.tsx'
import { FACETS, type FacetName } from './request-facts.ts'
import { chosenOf, type RequestsSearch } from './requests-search.ts'

export interface ChosenFacetsProps {
  readonly search: RequestsSearch
  readonly names: ReadonlyMap<string, string>
  readonly onToggle: (facet: FacetName, value: string) => void
}

export function ChosenFacets({ search, names, onToggle }: ChosenFacetsProps): ReactElement {
  const chosen = FACETS.flatMap((facet) =>
    [...chosenOf(search, facet)].map((value) => ({ facet, value })),
  )
  return (
    <>
      {chosen.map(({ facet, value }) => (
        <button
          key={`${facet} ${value}`}
          type="button"
          aria-label={`No longer only ${FACET_TITLES[facet]} ${value}`}
          onClick={() => onToggle(facet, value)}
          className="inline-flex h-6 items-center gap-1 rounded-1 border border-accent/40 bg-accent/10 px-2 text-small text-accent hover:bg-accent/20 [&_svg]:size-3"
        >
          <span className="text-ink-dim">{FACET_TITLES[facet]}</span>
          {facetValueName(facet, value, names)}
          <X aria-hidden="true" />
        </button>
      ))}
    </>
  )
}
