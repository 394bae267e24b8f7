// Creates and changes an account's own projects (docs/wire/platform.md#projects).

import type { PlanTier } from '../../../core/plan-tiers.ts'
import type { ProjectKeys } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { Owner } from '../accounts/owners.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { alignTenantPlans } from '../groups/manage-groups.ts'
import type { ControlStores } from '../stores.ts'
import { type BuildDeps, buildReserved } from './build-project.ts'
import { requireFreeSlug, slugFromName } from './slug.ts'

export type CreateProjectDeps = BuildDeps & Pick<ControlDeps, 'credentials' | 'clock'>

/** Emulated projects start on `pro` (docs/wire/platform.md#projects). */
const STARTING_PLAN: PlanTier = 'pro'

export interface ProjectRequest {
  readonly name: string
  /** The slug is derived from the name when absent. */
  readonly slug: unknown
  readonly planTier: PlanTier | undefined
}

export interface CreatedProject {
  readonly project: Project
  readonly keys: ProjectKeys
}

/** @throws {ManagementError} `invalid_slug`, `slug_reservado`, `slug_taken`, `internal` */
export async function createProject(
  deps: CreateProjectDeps,
  owner: Owner,
  request: ProjectRequest,
  origin: RequestOrigin,
): Promise<CreatedProject> {
  const { stores, schemas, credentials, clock } = deps
  const { projects } = stores
  const reserved = reserveProject(projects, owner, request)
  return buildReserved(deps, reserved, origin, async () => {
    await schemas.createEmpty(reserved.schemaName)
    const keys = await credentials.projectKeys.mint(reserved, origin.addresses, clock.now())
    return { project: projects.activate(reserved.id), keys }
  })
}

/**
 * Reserves the slug. Callers cannot see the project until it is activated.
 * @throws {ManagementError} `invalid_slug`, `slug_reservado`, `slug_taken`
 */
export function reserveProject(
  projects: ProjectRegistry,
  owner: Owner,
  { name, planTier = STARTING_PLAN, slug }: ProjectRequest,
): Project {
  return projects.reserve({
    slug:
      slug === undefined
        ? slugFromName(name, projects.isSlugTaken)
        : requireFreeSlug(slug, projects.isSlugTaken),
    name,
    kind: 'project',
    planTier,
    ownerId: owner.id,
  })
}

export interface ProjectChanges {
  readonly name?: string
  readonly planTier?: PlanTier
}

/** Renames a project or changes its plan. Tenants of groups that use it as their template get the same plan. */
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
