// Renames a project or moves it to another plan. A group and its tenants have the plan of their template
// (contract.md §4), so its tenants move along.
import type { PlanTier, Project } from '../projects/project.ts'
import { TENANT_CEILING } from './quota.ts'
import type { ControlStores } from './stores.ts'

export interface ProjectChanges {
  readonly name?: string
  readonly planTier?: PlanTier
}

export function changeProject(
  stores: ControlStores,
  id: Project['id'],
  changes: ProjectChanges,
): Project {
  const { projects, groups, tenants, transaction } = stores
  return transaction(() => {
    const { planTier } = changes
    if (planTier !== undefined)
      for (const group of groups.groupsOfTemplate(id))
        for (const tenant of tenants.listTenants(group.id, { limit: TENANT_CEILING, offset: 0 }))
          projects.change(tenant.projectId, { planTier })
    return projects.change(id, changes)
  })
}
