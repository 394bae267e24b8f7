// Shows the facets beside the request list, with the count of each value. In a narrow window, the facets are menus above the
// list. The toolbar shows the chosen values.
import { Check, ChevronDown, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { identityName } from '../../parts/identity-names.ts'
import { FACETS, type FacetName } from '../../parts/requests/request-facts.ts'
import { NOTHING } from '../../parts/requests/request-words.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'
import type { FacetValue, FilteredRequests } from './filter-requests.ts'
import { chosenOf, type RequestsSearch } from './requests-search.ts'

export interface FacetsProps {
  readonly facets: FilteredRequests['facets']
  readonly names: ReadonlyMap<string, string>
  /** Whether all requests are loaded. Until then, the values show without counts. */
  readonly isWhole: boolean
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

/**
 * The facets with their values, beside the list.
 * @param props.hasSheet whether a sheet is open, which hides the facets when the window has no room for both
 */
export function FacetRail(props: FacetsProps & { readonly hasSheet: boolean }): ReactElement {
  return (
    <nav
      aria-label="Facets"
      className={cx(
        'flex w-48 shrink-0 flex-col gap-4 overflow-auto border-r bg-surface-1 px-2 py-3',
        props.hasSheet && 'max-[1599px]:hidden',
      )}
    >
      {FACETS.map((facet) => (
        <Facet key={facet} {...props} facet={facet} hasTitle />
      ))}
    </nav>
  )
}

/** The facets as menus above the list, for a window in which the list needs the whole width. */
export function FacetMenus(props: FacetsProps): ReactElement {
  return (
    <nav
      aria-label="Facets"
      className="flex shrink-0 flex-wrap gap-1 border-b bg-surface-1 px-3 py-1"
    >
      {FACETS.map((facet) => {
        const chosen = props.facets[facet].filter(({ isChosen }) => isChosen).length
        return (
          <Popover
            key={facet}
            title={FACET_TITLES[facet]}
            isTitleHidden
            trigger={
              <Button size="small" tone="quiet">
                {FACET_TITLES[facet]}
                {chosen > 0 && <span className="text-accent tabular-nums">{chosen}</span>}
                <ChevronDown />
              </Button>
            }
          >
            <div className="-m-1 max-h-80 overflow-auto">
              <Facet {...props} facet={facet} />
            </div>
          </Popover>
        )
      })}
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

function Facet(
  props: FacetsProps & { readonly facet: FacetName; readonly hasTitle?: boolean },
): ReactElement {
  const { facet, facets, hasTitle = false, isWhole, names, onToggle } = props
  const values = facets[facet]
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? values : values.filter(({ isChosen }, at) => isChosen || at < SHOWN)
  const most = Math.max(1, ...values.map(({ count }) => count))
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend
        className={cx('px-2 pb-1 text-small font-strong text-ink-dim', !hasTitle && 'sr-only')}
      >
        {FACET_TITLES[facet]}
      </legend>
      {values.length === 0 && isWhole && <p className="px-2 text-small text-ink-dim">None yet</p>}
      {shown.map((value) => (
        <FacetButton
          key={value.value}
          {...value}
          count={isWhole ? value.count : undefined}
          name={facetValueName(facet, value.value, names)}
          share={isWhole ? value.count / most : 0}
          isRefusal={isRefusal(facet, value.value)}
          onToggle={() => onToggle(facet, value.value)}
        />
      ))}
      {shown.length !== values.length && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="h-6 px-2 text-left text-small text-accent hover:underline"
        >
          {values.length - shown.length} more
        </button>
      )}
    </fieldset>
  )
}

/** Whether all requests with this value were refused. */
function isRefusal(facet: FacetName, value: string): boolean {
  return facet === 'code' ? value !== NOTHING : facet === 'status' && /^[45]/.test(value)
}

function FacetButton(
  props: Omit<FacetValue, 'count'> & {
    readonly name: string
    readonly count: number | undefined
    /** Fraction of the most frequent value's count. */
    readonly share: number
    readonly isRefusal: boolean
    readonly onToggle: () => void
  },
): ReactElement {
  const { value, name, count, isChosen, isRefusal: isRefused, onToggle, share } = props
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={value}
      onClick={onToggle}
      className={cx(
        'relative flex h-6 min-w-0 shrink-0 items-center gap-2 rounded-1 px-2 text-left hover:bg-surface-2 [&_svg]:size-3',
        isChosen ? 'bg-accent/15 text-ink' : 'text-ink-dim hover:text-ink',
      )}
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {isChosen && <Check className="shrink-0 text-accent" />}
      <span className="shrink-0 text-small tabular-nums">
        {count !== undefined && formatNumber(count)}
      </span>
      <span
        aria-hidden
        style={{ width: `calc(${Math.max(2, 100 * share)}% - ${share * 16}px)` }}
        className={cx(
          'absolute bottom-0 left-2 h-[2px]',
          !count ? 'hidden' : isRefused ? 'refused-part' : 'bg-accent/50',
        )}
      />
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

/** A button that shows an active filter, with a cross that removes the filter. */
export function ChosenFilter(props: {
  readonly title: string
  readonly name: string
  /** The value in the button's accessible name. The default is `name`. */
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
