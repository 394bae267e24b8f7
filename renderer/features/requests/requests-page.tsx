// The requests screen shows a live list of all requests to the platform. The address holds search, facets and the open
// request.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, useDeferredValue, useMemo } from 'react'
import { useIdentityNames } from '../../parts/identity-names.ts'
import type { FacetName } from '../../parts/requests/request-facts.ts'
import { type Tail, useTail } from '../../parts/requests/use-tail.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { useNarrowWindow } from '../../ui/window-width.ts'
import { ChosenFacets, ChosenFilter, FacetMenus, FacetRail } from './facets.tsx'
import { type FilteredRequests, filterRequests } from './filter-requests.ts'
import { requestColumns } from './request-columns.tsx'
import { RequestSheet } from './request-sheet.tsx'
import { hasFilters, type RequestsSearch, withoutFilters, withToggled } from './requests-search.ts'
import { RoutesButton, RoutesPanel, useRoutesView } from './routes-panel.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { gridSort, nextOrder, sortRequests } from './sort-requests.ts'
import { NoRequests, PauseButton, TailState } from './tail-state.tsx'
import { TrafficButton, TrafficPanel, useTrafficView } from './traffic-panel.tsx'

const DURATIONS = [0, 100, 500, 1_000].map((millis) => ({
  value: String(millis),
  label: millis === 0 ? 'any' : `${formatDuration(millis)} and more`,
}))

export function RequestsPage(): ReactElement {
  const { search, requestId, open, close, narrow, toggle } = useRequestsAddress()
  const tail = useTail()
  const traffic = useTrafficView()
  const routes = useRoutesView()
  const isNarrow = useNarrowWindow()
  const deferred = useDeferredTail(tail)
  const { entries, isLoading, isWhole } = deferred
  const filtered = useMemo(() => filterRequests(entries, search), [entries, search])
  const shown = useMemo(() => sortRequests(filtered.entries, search.sort), [filtered, search.sort])
  const names = useIdentityNames(entries)
  const columns = useMemo(() => requestColumns(names), [names])
  const facets = { facets: filtered.facets, names, isWhole, onToggle: toggle }
  return (
    <>
      <PageHeader
        title="Requests"
        beside={<TailState tail={tail} />}
        actions={
          <>
            <RoutesButton {...routes} />
            <TrafficButton {...traffic} />
            <PauseButton tail={tail} />
          </>
        }
      />
      <Filters
        search={search}
        names={names}
        filtered={filtered}
        total={isLoading ? undefined : entries.length}
        isWhole={isWhole}
        onToggle={toggle}
        onSearch={narrow}
      />
      <SheetLayout
        sheet={
          requestId === undefined ? undefined : (
            <RequestSheet
              key={requestId}
              requestId={requestId}
              names={names}
              part={search.part ?? 'overview'}
              onPart={(part) => narrow({ ...search, part })}
              onOpen={open}
              onClose={close}
            />
          )
        }
      >
        {routes.isOpen && <RoutesPanel search={search} onSearch={narrow} />}
        {traffic.isOpen && (
          <TrafficPanel {...{ filtered, search, isLoading, isWhole }} onSearch={narrow} />
        )}
        {isNarrow && <FacetMenus {...facets} />}
        <div className="flex min-h-0 flex-1">
          {!isNarrow && <FacetRail {...facets} hasSheet={requestId !== undefined} />}
          <DataGrid
            label="Requests"
            name="requests"
            columns={columns}
            rows={shown}
            rowKey={requestIdOf}
            selected={requestId}
            onSelect={open}
            sort={gridSort(search.sort)}
            onSort={(column) => narrow({ ...search, sort: nextOrder(search.sort, column) })}
            keepsPlace
            isFirst
            empty={<NoRequests tail={deferred} isFiltered={hasFilters(search)} />}
          />
        </div>
      </SheetLayout>
    </>
  )
}

/**
 * Defers the entries that the list renders, so that clicks and typing stay fast while many requests arrive. Defers the facts
 * about the entries, too, because the page would otherwise count entries that do not show yet.
 */
function useDeferredTail({ entries, error, isLoading, isWhole, retry }: Tail): DeferredTail {
  const now = useMemo(
    () => ({ entries, error, isLoading, isWhole }),
    [entries, error, isLoading, isWhole],
  )
  const deferred = useDeferredValue(now)
  // While older entries load, the first entries show without a delay.
  const known = deferred.isLoading ? now : deferred
  return { ...known, retry }
}

type DeferredTail = Pick<Tail, 'entries' | 'error' | 'isLoading' | 'isWhole' | 'retry'>

interface RequestsAddress {
  readonly search: RequestsSearch
  readonly requestId: string | undefined
  readonly open: (id: string) => void
  readonly close: () => void
  readonly narrow: (search: RequestsSearch) => void
  readonly toggle: (facet: FacetName, value: string) => void
}

function useRequestsAddress(): RequestsAddress {
  const search = useSearch({ from: '/requests' })
  const { requestId } = useParams({ strict: false })
  const navigate = useNavigate()
  const narrow = useSetSearch<RequestsSearch>()
  return {
    search,
    requestId,
    open: (id) =>
      void navigate({
        to: '/requests/$requestId',
        params: { requestId: id },
        search,
        replace: requestId !== undefined,
      }),
    close: () => void navigate({ to: '/requests', search: { ...search, part: undefined } }),
    narrow,
    toggle: (facet, value) => narrow(withToggled(search, facet, value)),
  }
}

function Filters(props: {
  readonly search: RequestsSearch
  readonly names: ReadonlyMap<string, string>
  readonly filtered: FilteredRequests
  /** The number of loaded requests; `undefined` until the first requests are loaded. */
  readonly total: number | undefined
  /** Whether all requests of the journal are loaded. */
  readonly isWhole: boolean
  readonly onToggle: (facet: FacetName, value: string) => void
  readonly onSearch: (search: RequestsSearch) => void
}): ReactElement {
  const { search, names, filtered, total, isWhole, onToggle, onSearch } = props
  const { refused, own } = filtered
  return (
    <Toolbar
      label="Filter requests"
      actions={
        <>
          <SavedFilters search={search} onSearch={onSearch} />
          <span className="text-ink-dim tabular-nums">
            {total !== undefined &&
              `${formatNumber(filtered.entries.length)} of ${isWhole ? '' : 'at least '}${formatNumber(total)}`}
          </span>
        </>
      }
    >
      <SearchField
        label="Search requests"
        placeholder="Path, SQL, error, ID…"
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q: q || undefined })}
        className="w-80 max-w-full"
      />
      <Select
        label="Duration"
        hasPrefix
        value={String(search.slower ?? 0)}
        options={DURATIONS}
        onChange={(least) => onSearch({ ...search, slower: Number(least) || undefined })}
      />
      <FilterButton
        isPressed={search.refused !== undefined}
        onToggle={(isPressed) => onSearch({ ...search, refused: isPressed ? 'only' : undefined })}
      >
        Refused{isWhole && ` ${formatNumber(refused)}`}
      </FilterButton>
      {(own > 0 || search.own !== undefined) && (
        <FilterButton
          title="Requests that the inspector itself sends, such as uploads and previews"
          isPressed={search.own !== undefined}
          onToggle={(isPressed) => onSearch({ ...search, own: isPressed ? 'shown' : undefined })}
        >
          From the inspector{isWhole && ` ${formatNumber(own)}`}
        </FilterButton>
      )}
      {search.route !== undefined && (
        <ChosenFilter
          title="Route"
          name={search.route}
          onRemove={() => onSearch({ ...search, route: undefined })}
        />
      )}
      <ChosenFacets search={search} names={names} onToggle={onToggle} />
      {hasFilters(search) ? (
        <Button tone="quiet" onClick={() => onSearch(withoutFilters(search))}>
          Clear filters
        </Button>
      ) : undefined}
    </Toolbar>
  )
}

function FilterButton(props: {
  readonly isPressed: boolean
  readonly title?: string
  readonly onToggle: (isPressed: boolean) => void
  readonly children: ReactNode
}): ReactElement {
  const { isPressed, title, onToggle, children } = props
  return (
    <button
      type="button"
      title={title}
      aria-pressed={isPressed}
      onClick={() => onToggle(!isPressed)}
      className={cx(
        'inline-flex h-7 shrink-0 items-center gap-1 rounded-1 border px-2 tabular-nums [&_svg]:size-3',
        isPressed
          ? 'border-accent/40 bg-accent/15 text-ink'
          : 'border-line-strong text-ink-dim hover:bg-surface-2 hover:text-ink',
      )}
    >
      {isPressed && <Check className="text-accent" />}
      {children}
    </button>
  )
}

function requestIdOf({ request_id: id }: { readonly request_id: string }): string {
  return id
}
