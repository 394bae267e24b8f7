// Lists every route of the control plane, and the codes that any of these routes can return (docs/wire/errors.md#management).
// app.ts mounts the table. Faults and their catalogue also read the table.
import { ACCOUNT_ROUTES } from './accounts/account-routes.ts'
import { DATABASE_ROUTES } from './db-exec/database-routes.ts'
import { GROUP_OVERVIEW_ROUTES, GROUP_ROUTES } from './groups/group-routes.ts'
import { GROUP_KEY_ROUTES, MANAGEMENT_KEY_ROUTES } from './keys/key-routes.ts'
import { BUCKET_ROUTES } from './projects/bucket-routes.ts'
import { PROJECT_ROUTES } from './projects/project-routes.ts'
import type { ControlCode, ControlRoutes } from './request/route.ts'
import { TEMPLATE_ROUTES } from './templates/template-routes.ts'
import { TENANT_ROUTES } from './tenants/tenant-routes.ts'

export const CONTROL_ROUTES: ControlRoutes = {
  ...ACCOUNT_ROUTES,
  ...PROJECT_ROUTES,
  ...MANAGEMENT_KEY_ROUTES,
  ...DATABASE_ROUTES,
  ...BUCKET_ROUTES,
  ...GROUP_ROUTES,
  ...GROUP_KEY_ROUTES,
  ...GROUP_OVERVIEW_ROUTES,
  ...TEMPLATE_ROUTES,
  ...TENANT_ROUTES,
}

/** Codes that any control plane route can return, in addition to those it lists. */
export const CONTROL_ROUTE_CODES: readonly ControlCode[] = [
  'unauthorized',
  'method_not_allowed',
  'internal',
  'unavailable',
  'disk_full',
  'disk_failed',
]
