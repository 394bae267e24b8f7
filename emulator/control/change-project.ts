// Renames a project or moves it to another plan, and with it the tenants of the groups whose template it is.
import type { PlanTier, Project } from '../projects/project.ts'
import { alignTenantPlans } from './group-plan.ts'
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
  const { projects, groups, transaction } = stores
  return transaction(() => {
    const { planTier } = changes
    if (planTier !== undefined)
      for (const group of groups.groupsOfTemplate(id)) alignTenantPlans(stores, group, planTier)
    return projects.change(id, changes)
  })
}
