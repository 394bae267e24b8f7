// A group has the plan of its template project, and its tenants have the group's (docs/wire/platform.md#quotas).
import type { PlanTier } from '../projects/project.ts'
import { TENANT_CEILING } from '../projects/quotas.ts'
import type { Group } from './groups.ts'
import type { ControlStores } from './stores.ts'

/** Moves the group's active tenants to the plan its template has now. */
export function alignTenantPlans(
  { projects, tenants }: Pick<ControlStores, 'projects' | 'tenants'>,
  group: Pick<Group, 'id'>,
  planTier: PlanTier,
): void {
  for (const tenant of tenants.listTenants(group.id, { limit: TENANT_CEILING, offset: 0 }))
    projects.change(tenant.projectId, { planTier })
}
