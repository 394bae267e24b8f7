// Makes a plain project of an account: an empty schema with the platform's tables, and its keys (docs/wire/platform.md#projects).
import type { ProjectKeys } from '../credentials/project-key.ts'
import type { PlanTier, Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { type BuildDeps, buildReserved } from './build-project.ts'
import type { ControlDeps, RequestOrigin } from './deps.ts'
import type { Owner } from './owners.ts'
import { requireFreeSlug, slugFromName } from './slug.ts'

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
  const reserved = reserveProject(projects, owner, request)
  return buildReserved(deps, reserved, origin, async () => {
    await schemas.createEmpty(reserved.schemaName)
    const keys = await credentials.projectKeys.mint(reserved, origin.addresses, clock.now())
    return { project: projects.activate(reserved.id), keys }
  })
}

/**
 * Takes the slug; the project does not exist for callers until it is activated.
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
