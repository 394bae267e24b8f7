// Creates, changes and deletes groups (docs/wire/platform.md#group).

import { parseSchemaName } from '../../../core/names.ts'
import type { PlanTier } from '../../../core/plan-tiers.ts'
import { slugText } from '../../../core/slugs.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { TENANT_CEILING } from '../../../platform/projects/quotas.ts'
import type { Owner } from '../accounts/owners.ts'
import { invalidRequest, ManagementError, notFound } from '../errors.ts'
import { requireOwnProject } from '../projects/project-access.ts'
import type { ControlStores } from '../stores.ts'
import { requireUsable } from '../templates/template-access.ts'
import type { Group } from './groups.ts'

export interface GroupRequest {
  readonly name: string
  readonly description: string | undefined
  /** `proj_<slug>` or a UUID. */
  readonly templateRef: string
}

export interface GroupChanges {
  readonly name: string | undefined
  /** `null` removes the description. */
  readonly description: string | null | undefined
  readonly templateRef: string | undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws {ManagementError} `invalid_request`, `not_found`, `template_indisponivel`, all for the template */
export function createGroup(stores: ControlStores, owner: Owner, request: GroupRequest): Group {
  const template = requireTemplate(stores, owner, request.templateRef)
  return stores.groups.addGroup({
    slug: slugText(request.name) || 'group',
    name: request.name,
    description: request.description,
    ownerId: owner.id,
    templateProjectId: template.id,
  })
}

/** @throws {ManagementError} as `createGroup` */
export function changeGroup(
  stores: ControlStores,
  owner: Owner,
  group: Group,
  changes: GroupChanges,
): Group {
  const { templateRef, description } = changes
  const template =
    templateRef === undefined ? undefined : requireTemplate(stores, owner, templateRef)
  const changed: Group = {
    ...group,
    name: changes.name ?? group.name,
    description: description === undefined ? group.description : (description ?? undefined),
    templateProjectId: template?.id ?? group.templateProjectId,
  }
  stores.transaction(() => {
    stores.groups.saveGroup(changed)
    if (template !== undefined) alignTenantPlans(stores, group, template.planTier)
  })
  return changed
}

/** Deletes the group and its Group API Keys. @throws {ManagementError} `group_has_tenants` */
export function deleteGroup(stores: ControlStores, group: Group): void {
  const tenants = stores.tenants.countOccupied(group.id)
  if (tenants > 0)
    throw new ManagementError(
      'group_has_tenants',
      `The group still has ${tenants} active tenants.`,
      {
        hint: 'Remove or purge the tenants first.',
      },
    )
  stores.groups.eraseGroup(group.id)
}

/** Returns the account's group with this id. @throws {ManagementError} `not_found` */
export function requireOwnGroup(stores: ControlStores, owner: Owner, id: string): Group {
  const group = stores.groups.findGroup(id)
  if (group?.ownerId !== owner.id) throw notFound('This group')
  return group
}

function requireTemplate(stores: ControlStores, owner: Owner, ref: string): Project {
  if (parseSchemaName(ref) === undefined && !UUID.test(ref))
    throw invalidRequest({ template_project_id: 'must be proj_<slug> or a project’s UUID' })
  const template = requireOwnProject(stores, owner, ref)
  requireUsable(stores, template)
  return template
}

/** Moves the group's active tenants to the current plan of its template. */
export function alignTenantPlans(
  { projects, tenants }: Pick<ControlStores, 'projects' | 'tenants'>,
  group: Pick<Group, 'id'>,
  planTier: PlanTier,
): void {
  for (const tenant of tenants.listTenants(group.id, { limit: TENANT_CEILING, offset: 0 }))
    projects.change(tenant.projectId, { planTier })
}
