// Every address of the inspector and the screen behind it. A screen's folder exports its page and, in `<name>-search.ts`, what
// the address holds beside the path; it is loaded when it is first opened.
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { queryClient } from './api/query-client.ts'
import { parseFaultsSearch } from './features/faults/faults-search.ts'
import { parseFixturesSearch } from './features/fixtures/fixtures-search.ts'
import { parseHomeSearch } from './features/home/home-search.ts'
import { parseMailboxSearch } from './features/mailbox/mailbox-search.ts'
import { parsePoliciesSearch } from './features/policies/policies-search.ts'
import { parseRealtimeSearch } from './features/realtime/realtime-search.ts'
import { parseRequestsSearch } from './features/requests/requests-search.ts'
import { parseSnapshotsSearch } from './features/snapshots/snapshots-search.ts'
import { parseSqlSearch } from './features/sql/sql-search.ts'
import { parseStorageSearch } from './features/storage/storage-search.ts'
import { parseTablesSearch } from './features/tables/tables-search.ts'
import { parseTenantsSearch } from './features/tenants/tenants-search.ts'
import { parseTokensSearch } from './features/tokens/tokens-search.ts'
import { parseUsersSearch } from './features/users/users-search.ts'
import { RouteFailed, RouteMissing } from './shell/route-states.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Shell,
  errorComponent: RouteFailed,
  notFoundComponent: RouteMissing,
})
const under = () => root

const home = createRoute({
  getParentRoute: under,
  path: '/',
  validateSearch: parseHomeSearch,
  component: page(() => import('./features/home/home-page.tsx'), 'HomePage'),
})
const tenants = createRoute({
  getParentRoute: under,
  path: '/tenants',
  validateSearch: parseTenantsSearch,
  component: page(() => import('./features/tenants/tenants-page.tsx'), 'TenantsPage'),
})
const tables = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/tables',
  validateSearch: parseTablesSearch,
  component: page(() => import('./features/tables/tables-page.tsx'), 'TablesPage'),
})
const sql = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/sql',
  validateSearch: parseSqlSearch,
  component: page(() => import('./features/sql/sql-page.tsx'), 'SqlPage'),
})
const policies = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/policies',
  validateSearch: parsePoliciesSearch,
  component: page(() => import('./features/policies/policies-page.tsx'), 'PoliciesPage'),
})
const requests = createRoute({
  getParentRoute: under,
  path: '/requests',
  validateSearch: parseRequestsSearch,
  component: page(() => import('./features/requests/requests-page.tsx'), 'RequestsPage'),
})
const tokens = createRoute({
  getParentRoute: under,
  path: '/tokens',
  validateSearch: parseTokensSearch,
  component: page(() => import('./features/tokens/tokens-page.tsx'), 'TokensPage'),
})
const users = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/users',
  validateSearch: parseUsersSearch,
  component: page(() => import('./features/users/users-page.tsx'), 'UsersPage'),
})
const mailbox = createRoute({
  getParentRoute: under,
  path: '/mailbox',
  validateSearch: parseMailboxSearch,
  component: page(() => import('./features/mailbox/mailbox-page.tsx'), 'MailboxPage'),
})
const storage = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/storage',
  validateSearch: parseStorageSearch,
  component: page(() => import('./features/storage/storage-page.tsx'), 'StoragePage'),
})
const realtime = createRoute({
  getParentRoute: under,
  path: '/t/$tenant/realtime',
  validateSearch: parseRealtimeSearch,
  component: page(() => import('./features/realtime/realtime-page.tsx'), 'RealtimePage'),
})
const clock = createRoute({
  getParentRoute: under,
  path: '/clock',
  component: page(() => import('./features/clock/clock-page.tsx'), 'ClockPage'),
})
const faults = createRoute({
  getParentRoute: under,
  path: '/faults',
  validateSearch: parseFaultsSearch,
  component: page(() => import('./features/faults/faults-page.tsx'), 'FaultsPage'),
})
const snapshots = createRoute({
  getParentRoute: under,
  path: '/snapshots',
  validateSearch: parseSnapshotsSearch,
  component: page(() => import('./features/snapshots/snapshots-page.tsx'), 'SnapshotsPage'),
})
const fixtures = createRoute({
  getParentRoute: under,
  path: '/fixtures',
  validateSearch: parseFixturesSearch,
  component: page(() => import('./features/fixtures/fixtures-page.tsx'), 'FixturesPage'),
})

// A child without a screen of its own: the parent's page stays and reads the parameter (`useParams({ strict: false })`).
const table = createRoute({ getParentRoute: () => tables, path: '/$table' })
const policiesOfTable = createRoute({ getParentRoute: () => policies, path: '/$table' })
const request = createRoute({ getParentRoute: () => requests, path: '/$requestId' })
const bucket = createRoute({ getParentRoute: () => storage, path: '/$bucket' })

const router = createRouter({
  routeTree: root.addChildren([
    home,
    tenants,
    tables.addChildren([table]),
    sql,
    policies.addChildren([policiesOfTable]),
    requests.addChildren([request]),
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
  // What a screen's search does not know leaves the address, and never reaches the screen.
  search: { strict: true },
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export function App(): ReactElement {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

// `unknown` keeps the router's type free of the pages', which themselves need it.
function page(load: () => Promise<unknown>, name: string): RouteComponent {
  return lazyRouteComponent(load as () => Promise<Record<string, () => ReactElement>>, name)
}
