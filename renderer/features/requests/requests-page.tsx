// The requests screen shows a live list of all requests to the platform. The address holds search, facets and the open
// request.
import { useQueries } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactElement, useDeferredValue, useMemo } from 'react'
import type { IdentityChoices } from '../../../emulator/contract/identities.ts'
import { call } from '../../api/client.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ChosenFacets, FacetRail } from './facets.tsx'
import { filterRequests } from './filter-requests.ts'
import { requestColumns } from './request-columns.tsx'
import { type FacetName, NOTHING } from './request-facts.ts'
import { RequestSheet } from './request-sheet.tsx'
import { hasFilters, type RequestsSearch, withoutFilters, withToggled } from './requests-search.ts'
import { NoRequests, PauseButton, TailState } from './tail-state.tsx'
import { useTail } from './use-tail.ts'

export function RequestsPage(): ReactElement {
  const { search, requestId, open, close, narrow, toggle } = useRequestsAddress()
  const tail = useTail()
  // The list renders deferred entries, so that clicks and typing stay fast while many requests arrive.
  const entries = useDeferredValue(tail.entries)
  const { entries: shown, facets } = useMemo(
    () => filterRequests(entries, search),
    [entries, search],
  )
  const tenants = facets.tenant.map(({ value }) => value).join(',')
  const names = useIdentityNames(useMemo(() => tenants.split(',').filter(Boolean), [tenants]))
  const columns = useMemo(() => requestColumns(names), [names])
  return (
    <>
      <PageHeader
        title="Requests"
        beside={<TailState tail={tail} />}
        actions={<PauseButton tail={tail} />}
      />
      <Filters
        search={search}
        names={names}
        shown={shown.length}
        total={entries.length}
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
        <div className="flex min-h-0 flex-1">
          <FacetRail
            hasSheet={requestId !== undefined}
            facets={facets}
            names={names}
            onToggle={toggle}
          />
          <DataGrid
            label="Requests"
            name="requests"
            columns={columns}
            rows={shown}
            rowKey={requestIdOf}
            selected={requestId}
            onSelect={open}
            onEnd={tail.readOlder}
            keepsPlace
            isFirst
            empty={<NoRequests tail={tail} isFiltered={hasFilters(search)} />}
          />
        </div>
      </SheetLayout>
    </>
  )
}

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
  readonly shown: number
  readonly total: number
  readonly onToggle: (facet: FacetName, value: string) => void
  readonly onSearch: (search: RequestsSearch) => void
}): ReactElement {
  const { search, names, shown, total, onToggle, onSearch } = props
  return (
    <Toolbar
      label="Filter requests"
      actions={
        <span className="text-ink-dim tabular-nums">
          {formatNumber(shown)} of {formatNumber(total)}
        </span>
      }
    >
      <SearchField
        label="Search requests"
        placeholder="Path, SQL, error, id…"
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q: q || undefined })}
        className="w-80"
      />
      <ChosenFacets search={search} names={names} onToggle={onToggle} />
      {hasFilters(search) ? (
        <Button tone="quiet" onClick={() => onSearch(withoutFilters(search))}>
          Clear filters
        </Button>
      ) : undefined}
    </Toolbar>
  )
}

function requestIdOf({ request_id: id }: { readonly request_id: string }): string {
  return id
}

/** The most projects to load names from. Users of further projects show as ids. */
const MOST_PROJECTS = 12

/** Names by user id. `tenants` contains slugs. */
function useIdentityNames(tenants: readonly string[]): ReadonlyMap<string, string> {
  const asked = tenants.filter((tenant) => tenant !== NOTHING).slice(0, MOST_PROJECTS)
  return useQueries({
    queries: asked.map((tenant) => ({
      queryKey: ['identities', tenant],
      staleTime: 10_000,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call('GET /projects/:ref/identities', { params: { ref: tenant }, signal }),
    })),
    combine: namesOf,
  })
}

function namesOf(
  answers: readonly { readonly data: IdentityChoices | undefined }[],
): ReadonlyMap<string, string> {
  return new Map(
    answers.flatMap(({ data }) =>
      (data?.identities ?? []).flatMap(({ reference, label }) =>
        reference.kind === 'user' ? [[reference.user, label] as const] : [],
      ),
    ),
  )
}
