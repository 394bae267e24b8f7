// Creates an account's own project and changes it (docs/wire/platform.md#projects).
import type { ProjectKeys } from '../../credentials/project-key.ts'
import type { PlanTier, Project } from '../../projects/project.ts'
import type { Owner } from '../accounts/owners.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { alignTenantPlans } from '../groups/manage-groups.ts'
import type { ControlStores } from '../stores.ts'
import { slugTaken } from '../tenants/provision-tenant.ts'
import { type BuildDeps, buildReserved } from './build-project.ts'
import { requireSlug, slugFromName } from './slug.ts'

export type CreateProjectDeps = BuildDeps & Pick<ControlDeps, 'credentials' | 'clock'>

/** Emulated projects start on `pro` (docs/wire/platform.md#projects). */
const STARTING_PLAN: PlanTier = 'pro'

export interface ProjectRequest {
  readonly name: string
  /** Derived from the name when absent. */
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
  const slug =
    request.slug === undefined
      ? slugFromName(request.name, projects.isSlugTaken)
      : requireSlug(request.slug)
  if (projects.isSlugTaken(slug)) throw slugTaken(slug)
  const reserved = projects.reserve({
    slug,
    name: request.name,
    kind: 'project',
    planTier: request.planTier ?? STARTING_PLAN,
    ownerId: owner.id,
  })
  return buildReserved(deps, reserved, origin, async () => {
    await schemas.createEmpty(reserved.schemaName)
    const keys = await credentials.projectKeys.mint(reserved, origin.addresses, clock.now())
    return { project: projects.activate(reserved.id), keys }
  })
}

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
