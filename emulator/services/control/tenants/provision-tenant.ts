// Creates a tenant: reserves the slug, clones the template, mints the keys and activates the project. A failure undoes all steps
// (docs/wire/platform.md#provision).
import type { JsonObject } from '../../../core/json.ts'
import type { Slug } from '../../../core/names.ts'
import type { ProjectKeys } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import type { Group } from '../groups/groups.ts'
import { admitTenant } from '../groups/quota.ts'
import { type BuildDeps, buildReserved } from '../projects/build-project.ts'
import { requireFreeSlug } from '../projects/slug.ts'
import type { ControlStores } from '../stores.ts'
import { requireClonableTemplate } from '../templates/template-access.ts'
import type { Tenant } from './tenants.ts'

export type ProvisionDeps = BuildDeps & Pick<ControlDeps, 'credentials' | 'clock'>

export interface TenantRequest {
  /** The unchecked slug from the request. */
  readonly slug: unknown
  readonly externalId: string | undefined
  readonly metadata: JsonObject
}

export interface ProvisionedTenant {
  readonly tenant: Tenant
  readonly keys: ProjectKeys
}

/** @throws {ManagementError} */
export async function provisionTenant(
  deps: ProvisionDeps,
  group: Group,
  request: TenantRequest,
  origin: RequestOrigin,
): Promise<ProvisionedTenant> {
  const { stores, schemas, credentials, clock } = deps
  const lap = origin.stopwatch?.lap
  lap?.('check')
  const { template, project, tenant } = reserveTenant(stores, group, request)
  lap?.('reserve')
  return buildReserved(deps, project, origin, async () => {
    await schemas.provisionFrom(template.schemaName, project.schemaName)
    lap?.('clone')
    const keys = await credentials.projectKeys.mint(project, origin.addresses, clock.now())
    lap?.('keys')
    if (stores.projects.switches.isArmed(template.id, 'provision_fails'))
      throw new Error(`the switch provision_fails is armed on ${template.slug}`)
    activateTenant(stores, template, project)
    lap?.('activate')
    return { tenant: { ...tenant, state: 'active' }, keys }
  })
}

// Reads the template's plan again, because the plan may have changed while the clone was built. Such a change updates only active
// tenants.
function activateTenant(
  { projects, transaction }: ControlStores,
  template: Project,
  { id }: Project,
): void {
  transaction(() => {
    const { planTier } = projects.findProject(template.id) ?? template
    projects.activate(id)
    projects.change(id, { planTier })
  })
}

interface Reservation {
  readonly template: Project
  readonly project: Project
  readonly tenant: Tenant
}

// The function must not await between the first check and the reservation, because parallel calls could take the same slug or
// exceed the quota.
function reserveTenant(stores: ControlStores, group: Group, request: TenantRequest): Reservation {
  const { projects, tenants } = stores
  const slug = requireFreeSlug(request.slug, projects.isSlugTaken)
  const template = requireClonableTemplate(stores, group)
  return stores.transaction(() => {
    const project = reserveClone(projects, template, slug, tenants.countOccupied(group.id))
    const tenant = tenants.addTenant({
      projectId: project.id,
      groupId: group.id,
      templateProjectId: template.id,
      externalId: request.externalId,
      metadata: request.metadata,
    })
    return { template, project, tenant }
  })
}

/**
 * Reserves the slug of a tenant's project. The caller adds the tenant's record.
 * @param occupied number of the group's tenants, active or being created
 * @throws {ManagementError} `tenant_limit_reached`, `tenant_quota_exceeded`
 */
export function reserveClone(
  projects: ProjectRegistry,
  { planTier }: Project,
  slug: Slug,
  occupied: number,
): Project {
  admitTenant(planTier, occupied)
  return projects.reserve({ slug, name: slug, kind: 'tenant', planTier })
}
