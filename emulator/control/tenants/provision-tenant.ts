// Provisions a tenant: reserve, clone, mint, activate; on any failure nothing remains (docs/wire/platform.md#provision).
import type { JsonObject } from '../../core/json.ts'
import type { Slug } from '../../core/names.ts'
import type { ProjectKeys } from '../../credentials/project-key.ts'
import type { Project } from '../../projects/project.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { ManagementError } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import { admitTenant } from '../groups/quota.ts'
import { type BuildDeps, buildReserved } from '../projects/build-project.ts'
import { requireSlug } from '../projects/slug.ts'
import type { ControlStores } from '../stores.ts'
import { requireClonableTemplate } from '../templates/template-access.ts'
import type { Tenant } from './tenants.ts'

export type ProvisionDeps = BuildDeps & Pick<ControlDeps, 'credentials' | 'clock'>

export interface TenantRequest {
  /** As it came: whatever is no slug is refused as one. */
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
  const slug = requireSlug(request.slug)
  const { template, project, tenant } = reserveTenant(stores, group, slug, request)
  return buildReserved(deps, project, origin, async () => {
    await schemas.cloneFrom(template.schemaName, project.schemaName)
    const keys = await credentials.projectKeys.mint(project, origin.addresses, clock.now())
    if (stores.projects.switches.isArmed(template.id, 'provision_fails'))
      throw new Error(`the switch provision_fails is armed on ${template.slug}`)
    stores.projects.activate(project.id)
    return { tenant: { ...tenant, state: 'active' }, keys }
  })
}

interface Reservation {
  readonly template: Project
  readonly project: Project
  readonly tenant: Tenant
}

// Without an await from the first question to the reservation: that is what keeps slugs unique and quotas true when
// many callers come at once.
function reserveTenant(
  stores: ControlStores,
  group: Group,
  slug: Slug,
  request: TenantRequest,
): Reservation {
  const { projects, tenants } = stores
  if (projects.isSlugTaken(slug)) throw slugTaken(slug)
  const template = requireClonableTemplate(stores, group)
  admitTenant(template.planTier, tenants.countOccupied(group.id))
  return stores.transaction(() => {
    const project = projects.reserve({
      slug,
      name: slug,
      kind: 'tenant',
      planTier: template.planTier,
    })
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

/** 409 `slug_taken`, whoever has or had it. */
export function slugTaken(slug: string): ManagementError {
  return new ManagementError('slug_taken', `The slug ${slug} is taken.`, {
    hint: 'Choose another one; the slug of a removed or purged tenant is never given again.',
  })
}
