// The requests of the whole journal by route: their number, their durations, and how many were refused. A click on a route
// filters the list.
import { ListTree } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { RouteSummary } from '../../../emulator/contract/journal.ts'
import { useRoutes } from '../../api/requests.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import type { GridSort } from '../../ui/grid-columns.ts'
import { useRemembered } from '../../ui/remembered.ts'
import type { RequestsSearch } from './requests-search.ts'

export interface RoutesView {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

export function useRoutesView(): RoutesView {
  const [isOpen, setOpen] = useRemembered('requests.routes', false)
  return { isOpen, setOpen }
}

export function RoutesButton({ isOpen, setOpen }: RoutesView): ReactElement {
  return (
    <Button aria-expanded={isOpen} icon={<ListTree />} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Hide routes' : 'Show routes'}
    </Button>
  )
}

const COLUMNS: readonly GridColumn<RouteSummary>[] = [
  { id: 'route', header: 'Route', min: 220, isMono: true, render: ({ route }) => route },
  number('count', 'Count', ({ count }) => formatNumber(count)),
  number('p50', 'p50', ({ p50_ms: millis }) => formatDuration(millis)),
  number('p95', 'p95', ({ p95_ms: millis }) => formatDuration(millis)),
  number('refused', 'Refused', ({ refused }) => formatNumber(refused)),
]

const VALUES: Readonly<Record<string, (one: RouteSummary) => number>> = {
  count: ({ count }) => count,
  p50: ({ p50_ms: millis }) => millis,
  p95: ({ p95_ms: millis }) => millis,
  refused: ({ refused }) => refused,
}

function number(
  id: string,
  header: string,
  render: (one: RouteSummary) => string,
): GridColumn<RouteSummary> {
  return { id, header, render, width: 92, align: 'end', canSort: true }
}

export function RoutesPanel(props: {
  readonly search: RequestsSearch
  readonly onSearch: (search: RequestsSearch) => void
}): ReactElement {
  const { onSearch, search } = props
  const query = useRoutes(search.own !== undefined)
  const choose = (route: string | undefined) => onSearch({ ...search, route })
  return (
    <section aria-label="Routes" className="flex h-56 shrink-0 flex-col border-b bg-surface-1">
      <Loaded query={query} what="the routes">
        {({ requests, routes, total }) => (
          <>
            <RouteGrid routes={routes} chosen={search.route} onRoute={choose} />
            <p className="shrink-0 border-t px-4 py-1 text-small text-ink-dim">
              {countOf(requests, 'request')} of the journal on {countOf(total, 'route')}
              {routes.length < total && `, the ${routes.length} slowest shown`}
            </p>
          </>
        )}
      </Loaded>
    </section>
  )
}

function RouteGrid(props: {
  readonly routes: readonly RouteSummary[]
  readonly chosen: string | undefined
  readonly onRoute: (route: string | undefined) => void
}): ReactElement {
  const { chosen, onRoute, routes } = props
  const [sort, setSort] = useState<GridSort>({ column: 'p95', isDescending: true })
  const sorted = useMemo(() => {
    const measureOf = VALUES[sort.column] ?? (() => 0)
    const sign = sort.isDescending ? -1 : 1
    return routes.toSorted((one, other) => sign * (measureOf(one) - measureOf(other)))
  }, [routes, sort])
  return (
    <DataGrid
      label="Routes"
      name="routes"
      columns={COLUMNS}
      rows={sorted}
      rowKey={({ route }) => route}
      selected={chosen}
      onSelect={(route) => onRoute(route === chosen ? undefined : route)}
      sort={sort}
      onSort={(column) =>
        setSort({ column, isDescending: sort.column !== column || !sort.isDescending })
      }
      empty={
        <EmptyState
          title="No requests yet"
          detail="Each route of the platform that your application calls appears here."
        />
      }
    />
  )
}
