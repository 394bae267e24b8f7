// Every route of the control plane, and the codes that any of them can answer (docs/wire/errors.md#management). app.ts mounts the
// table; faults and their catalogue read it.
import { BUCKET_ROUTES } from './routes/buckets.ts'
import { DATABASE_ROUTES } from './routes/database-exec.ts'
import { GROUP_KEY_ROUTES } from './routes/group-keys.ts'
import { GROUP_OVERVIEW_ROUTES } from './routes/group-overview.ts'
import { GROUP_ROUTES } from './routes/groups.ts'
import { MANAGEMENT_KEY_ROUTES } from './routes/management-keys.ts'
import { PROJECT_ROUTES } from './routes/projects.ts'
import type { ControlCode, ControlRoutes } from './routes/route-table.ts'
import { SESSION_ROUTES } from './routes/session.ts'
import { TEMPLATE_ROUTES } from './routes/template.ts'
import { TENANT_ROUTES } from './routes/tenants.ts'

export const CONTROL_ROUTES: ControlRoutes = {
  ...SESSION_ROUTES,
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

/** Beside the codes that a route lists. */
export const CONTROL_ROUTE_CODES: readonly ControlCode[] = [
  'unauthorized',
  'method_not_allowed',
  'internal',
  'unavailable',
  'disk_full',
  'disk_failed',
]
