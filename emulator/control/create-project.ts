// Makes a plain project of an account: an empty schema with the platform's tables, and its keys (docs/wire/platform.md#projects).
import type { ProjectKeys } from '../credentials/project-key.ts'
import type { PlanTier, Project } from '../projects/project.ts'
import { type BuildDeps, buildReserved } from './build-project.ts'
import type { ControlDeps, RequestOrigin } from './deps.ts'
import type { Owner } from './owners.ts'
import { slugTaken } from './provision-tenant.ts'
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
