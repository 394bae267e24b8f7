// The routes of the inspector. Each screen's folder exports its page, and its search parameters in `<name>-search.ts`.
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
  retainSearchParams,
} from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import type { ScreenPath } from '../emulator/contract/screens.ts'
import { queryClient } from './api/query-client.ts'
import { parseAuditSearch } from './features/audit/audit-search.ts'
import { parseCompareSearch } from './features/compare/compare-search.ts'
import { parseFaultsSearch } from './features/faults/faults-search.ts'
import { parseFixturesSearch } from './features/fixtures/fixtures-search.ts'
import { parseFleetSearch } from './features/fleet/fleet-search.ts'
import { parseFollowSearch } from './features/follow/follow-search.ts'
import { parseHomeSearch } from './features/home/home-search.ts'
import { parseMailboxSearch } from './features/mailbox/mailbox-search.ts'
import { parsePoliciesSearch } from './features/policies/policies-search.ts'
import { parseRealtimeSearch } from './features/realtime/realtime-search.ts'
import { parseRequestsSearch } from './features/requests/requests-search.ts'
import { parseSchemaMapSearch } from './features/schema-map/schema-map-search.ts'
import { parseSnapshotsSearch } from './features/snapshots/snapshots-search.ts'
import { parseSqlSearch } from './features/sql/sql-search.ts'
import { parseStorageSearch } from './features/storage/storage-search.ts'
import { parseTablesSearch } from './features/tables/tables-search.ts'
import { parseTenantsSearch } from './features/tenants/tenants-search.ts'
import { parseTokensSearch } from './features/tokens/tokens-search.ts'
import { parseUsersSearch } from './features/users/users-search.ts'
import { type ContextSearch, parseContextSearch } from './parts/acting-as.ts'
import { type SearchReader, searchReader } from './parts/search.ts'
import { type LoadableScreen, loadScreensAhead } from './shell/load-screens-ahead.ts'
import { RouteFailed, RouteMissing } from './shell/route-states.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  validateSearch: parseContextSearch,
  search: { middlewares: [retainSearchParams<ContextSearch>(['as'])] },
  component: Shell,
  errorComponent: RouteFailed,
  notFoundComponent: RouteMissing,
})
const under = () => root
/** The components of all screens. */
const screens: LoadableScreen[] = []
const noSearch = searchReader<Record<never, never>>({})

const home = screen('/', parseHomeSearch, () => import('./features/home/home-page.tsx'), 'HomePage')
const tenants = screen(
  '/tenants',
  parseTenantsSearch,
  () => import('./features/tenants/tenants-page.tsx'),
  'TenantsPage',
)
const fleet = screen(
  '/fleet',
  parseFleetSearch,
  () => import('./features/fleet/fleet-page.tsx'),
  'FleetPage',
)
const tables = screen(
  '/t/$tenant/tables',
  parseTablesSearch,
  () => import('./features/tables/tables-page.tsx'),
  'TablesPage',
)
const schemaMap = screen(
  '/t/$tenant/map',
  parseSchemaMapSearch,
  () => import('./features/schema-map/schema-map-page.tsx'),
  'SchemaMapPage',
)
const sql = screen(
  '/t/$tenant/sql',
  parseSqlSearch,
  () => import('./features/sql/sql-page.tsx'),
  'SqlPage',
)
const policies = screen(
  '/t/$tenant/policies',
  parsePoliciesSearch,
  () => import('./features/policies/policies-page.tsx'),
  'PoliciesPage',
)
const audit = screen(
  '/t/$tenant/audit',
  parseAuditSearch,
  () => import('./features/audit/audit-page.tsx'),
  'AuditPage',
)
const requests = screen(
  '/requests',
  parseRequestsSearch,
  () => import('./features/requests/requests-page.tsx'),
  'RequestsPage',
)
const follow = screen(
  '/t/$tenant/follow',
  parseFollowSearch,
  () => import('./features/follow/follow-page.tsx'),
  'FollowPage',
)
const compare = screen(
  '/compare',
  parseCompareSearch,
  () => import('./features/compare/compare-page.tsx'),
  'ComparePage',
)
const tokens = screen(
  '/tokens',
  parseTokensSearch,
  () => import('./features/tokens/tokens-page.tsx'),
  'TokensPage',
)
const users = screen(
  '/t/$tenant/users',
  parseUsersSearch,
  () => import('./features/users/users-page.tsx'),
  'UsersPage',
)
const mailbox = screen(
  '/mailbox',
  parseMailboxSearch,
  () => import('./features/mailbox/mailbox-page.tsx'),
  'MailboxPage',
)
const storage = screen(
  '/t/$tenant/storage',
  parseStorageSearch,
  () => import('./features/storage/storage-page.tsx'),
  'StoragePage',
)
const realtime = screen(
  '/t/$tenant/realtime',
  parseRealtimeSearch,
  () => import('./features/realtime/realtime-page.tsx'),
  'RealtimePage',
)
const clock = screen(
  '/clock',
  noSearch,
  () => import('./features/clock/clock-page.tsx'),
  'ClockPage',
)
const faults = screen(
  '/faults',
  parseFaultsSearch,
  () => import('./features/faults/faults-page.tsx'),
  'FaultsPage',
)
const snapshots = screen(
  '/snapshots',
  parseSnapshotsSearch,
  () => import('./features/snapshots/snapshots-page.tsx'),
  'SnapshotsPage',
)
const fixtures = screen(
  '/fixtures',
  parseFixturesSearch,
  () => import('./features/fixtures/fixtures-page.tsx'),
  'FixturesPage',
)

// These routes only add a parameter. The parent's page stays open and reads the parameter with `useParams({ strict: false })`.
const table = createRoute({ getParentRoute: () => tables, path: '/$table' })
const policiesOfTable = createRoute({ getParentRoute: () => policies, path: '/$table' })
const request = createRoute({ getParentRoute: () => requests, path: '/$requestId' })
const bucket = createRoute({ getParentRoute: () => storage, path: '/$bucket' })

const router = createRouter({
  routeTree: root.addChildren([
    home,
    tenants,
    fleet,
    tables.addChildren([table]),
    schemaMap,
    sql,
    policies.addChildren([policiesOfTable]),
    audit,
    requests.addChildren([request]),
    follow,
    compare,
    tokens,
    users,
    mailbox,
    storage.addChildren([bucket]),
    realtime,
    clock,
    faults,
    snapshots,
    fixtures,
  ]),
  basepath: '/_emulator',
  // The router removes search parameters that a screen does not declare.
  search: { strict: true },
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export function App(): ReactElement {
  useEffect(() => loadScreensAhead(screens), [])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

/**
 * Creates the route of a screen. The browser loads the screen's code when the user opens the screen for the first time. The
 * screen list of the rail and the menu must contain `path`.
 */
function screen<const Path extends ScreenPath, Search>(
  path: Path,
  validateSearch: SearchReader<Search>,
  // The type is `unknown`, because a precise type would be circular: the pages' types depend on the router's type.
  load: () => Promise<unknown>,
  page: string,
) {
  const component = lazyRouteComponent(
    load as () => Promise<Record<string, () => ReactElement>>,
    page,
  )
  screens.push(component)
  return createRoute({ getParentRoute: under, path, validateSearch, component })
}
