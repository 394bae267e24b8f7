// Removes a project or tenant: offline at once, everything it has is kept (docs/wire/platform.md#remove).
import type { Project } from '../projects/project.ts'
import { changeOf } from './build-project.ts'
import type { ControlDeps } from './deps.ts'
import { notFound } from './errors.ts'
import type { Group } from './groups.ts'

export type TakeOfflineDeps = Pick<ControlDeps, 'stores' | 'lifecycle' | 'observe'>

/** Takes an active project offline. */
export function takeOffline(
  { stores, lifecycle, observe }: TakeOfflineDeps,
  id: Project['id'],
): void {
  const project = stores.projects.remove(id)
  lifecycle.offline(project)
  observe({ ...changeOf(project), change: 'removed' })
}

/** @throws {ManagementError} `not_found` when the group has no such tenant or it is already deleted */
export function removeTenant(deps: TakeOfflineDeps, group: Group, slug: string): void {
  const tenant = deps.stores.tenants.findTenant(group.id, slug)
  if (tenant?.state !== 'active' || tenant.slug !== slug) throw notFound(`The tenant ${slug}`)
  takeOffline(deps, tenant.projectId)
}
