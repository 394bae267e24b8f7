// Shows the facets of the request list. The rail counts the requests of each value. A line above the list shows the
// chosen values.
import { Check, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { identityName } from '../../parts/identity-names.ts'
import { FACETS, type FacetName } from '../../parts/requests/request-facts.ts'
import { NOTHING } from '../../parts/requests/request-words.ts'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/format.ts'
import type { FacetValue, FilteredRequests } from './filter-requests.ts'
import { chosenOf, type RequestsSearch } from './requests-search.ts'

export interface FacetRailProps {
  /** Whether a request is open beside the list. The open request hides the facets in a narrow window. */
  readonly hasSheet: boolean
  readonly facets: FilteredRequests['facets']
  readonly names: ReadonlyMap<string, string>
  readonly onToggle: (facet: FacetName, value: string) => void
}

const FACET_TITLES: Readonly<Record<FacetName, string>> = {
  service: 'Service',
  status: 'Status',
  code: 'Error code',
  method: 'Method',
  tenant: 'Tenant',
  identity: 'Identity',
}

/** The number of values that show until the user clicks “more”. */
const SHOWN = 7

export function FacetRail({ hasSheet, facets, names, onToggle }: FacetRailProps): ReactElement {
  return (
    <nav
      aria-label="Facets"
      className={cx(
        'flex w-48 max-md:w-36 shrink-0 flex-col gap-4 overflow-auto border-r bg-surface-1 px-2 py-3',
        hasSheet && 'max-[1599px]:hidden',
      )}
    >
      {FACETS.map((facet) => (
        <Facet
          key={facet}
          title={FACET_TITLES[facet]}
          values={facets[facet]}
          nameOf={(value) => facetValueName(facet, value, names)}
          onToggle={(value) => onToggle(facet, value)}
        />
      ))}
    </nav>
  )
}

/** The label of a facet's value. The label `–` means requests without a value. */
function facetValueName(
  facet: FacetName,
  value: string,
  names: ReadonlyMap<string, string>,
): string {
  if (value === NOTHING) return 'none'
  return facet === 'identity' ? identityName(value, names) : value
}

function Facet(props: {
  readonly title: string
  readonly values: readonly FacetValue[]
  readonly nameOf: (value: string) => string
  readonly onToggle: (value: string) => void
}): ReactElement {
  const { title, values, nameOf, onToggle } = props
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? values : values.filter(({ isChosen }, at) => isChosen || at < SHOWN)
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="px-2 pb-1 text-small font-strong text-ink-dim">{title}</legend>
      {values.length === 0 && <p className="px-2 text-small text-ink-dim">None yet</p>}
      {shown.map((value) => (
        <FacetButton
          key={value.value}
          {...value}
          name={nameOf(value.value)}
          onToggle={() => onToggle(value.value)}
        />
      ))}
      {shown.length !== values.length && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="h-6 px-2 text-left text-small text-accent hover:underline"
        >
          {values.length - shown.length} more
        </button>
      )}
    </fieldset>
  )
}

function FacetButton(
  props: FacetValue & { readonly name: string; readonly onToggle: () => void },
): ReactElement {
  const { value, name, count, isChosen, onToggle } = props
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={value}
      onClick={onToggle}
      className={cx(
        'flex h-6 min-w-0 items-center gap-2 rounded-1 px-2 text-left hover:bg-surface-2 [&_svg]:size-3',
        isChosen ? 'bg-accent/15 text-ink' : 'text-ink-dim hover:text-ink',
      )}
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {isChosen && <Check className="shrink-0 text-accent" />}
      <span className="shrink-0 text-small tabular-nums">{formatNumber(count)}</span>
    </button>
  )
}

export function ChosenFacets(props: {
  readonly search: RequestsSearch
  readonly names: ReadonlyMap<string, string>
  readonly onToggle: (facet: FacetName, value: string) => void
}): ReactElement {
  const { search, names, onToggle } = props
  const chosen = FACETS.flatMap((facet) =>
    [...chosenOf(search, facet)].map((value) => ({ facet, value })),
  )
  return (
    <>
      {chosen.map(({ facet, value }) => (
        <ChosenFilter
          key={`${facet} ${value}`}
          title={FACET_TITLES[facet]}
          name={facetValueName(facet, value, names)}
          value={value}
          onRemove={() => onToggle(facet, value)}
        />
      ))}
    </>
  )
}

/** A filter that applies, with a cross that removes it. */
export function ChosenFilter(props: {
  readonly title: string
  readonly name: string
  /** The value in the button's accessible name. Absent: `name`. */
  readonly value?: string
  readonly onRemove: () => void
}): ReactElement {
  const { name, onRemove, title, value = name } = props
  return (
    <button
      type="button"
      aria-label={`Remove filter ${title} ${value}`}
      onClick={onRemove}
      className="inline-flex h-6 items-center gap-1 rounded-1 border border-accent/40 bg-accent/10 px-2 text-small text-accent hover:bg-accent/20 [&_svg]:size-3"
    >
      <span className="text-ink-dim">{title}</span>
      {name}
      <X />
    </button>
  )
}
