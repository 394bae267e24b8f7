// Freezes the source's schema into a new template and points the group to it (docs/wire/platform.md#publish).
import type { OwnerId } from '../../../core/names.ts'
import type { StructureCounts } from '../../../database/schema-builder.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import { ManagementError } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import { type BuildDeps, buildReserved } from '../projects/build-project.ts'
import { requireFreeSlug, templateSlug } from '../projects/slug.ts'
import type { ControlStores } from '../stores.ts'
import { isArmedOnPublish, requirePublishableSource } from './template-access.ts'

export type PublishDeps = BuildDeps & Pick<ControlDeps, 'clock'>

export interface PublishRequest {
  /** The name defaults to the source's name and the version. */
  readonly name: string | undefined
  /** The unchecked slug from the request. Defaults to `<source>_v<n>`. */
  readonly slug: unknown
}

export interface PublishedTemplate {
  readonly template: Project
  readonly source: Project
  readonly counts: StructureCounts
  /** Number of active tenants that were cloned from an earlier version. */
  readonly tenantsOnOlderVersion: number
}

/** The inputs of a new template version. */
interface Freezing {
  readonly source: Project
  /** The group's current template. */
  readonly present: Project | undefined
  readonly ownerId: OwnerId
}

/** @throws {ManagementError} */
export async function publishTemplate(
  deps: PublishDeps,
  group: Group,
  request: PublishRequest,
  origin: RequestOrigin,
): Promise<PublishedTemplate> {
  const { stores, schemas } = deps
  const source = requirePublishableSource(stores, group)
  const present = stores.projects.findProject(group.templateProjectId)
  const reserved = reserveTemplate(deps, { source, present, ownerId: group.ownerId }, request)
  const isClosing = !isArmedOnPublish(stores, group, source, 'clone_incomplete')
  const published = await buildReserved(deps, reserved, origin, async () => {
    const counts = await schemas.cloneFrom(source.schemaName, reserved.schemaName)
    const template = stores.transaction(() => closeClone(stores, group, reserved, isClosing))
    return { template, counts }
  })
  if (!isClosing) throw cloneIncomplete(published.template)
  const tenantsOnOlderVersion = stores.tenants.countOnOlderTemplate(group.id, reserved.id)
  return { ...published, source, tenantsOnOlderVersion }
}

/**
 * Reserves the slug of a new version. The version gets the plan of the group's current template, which may have been upgraded.
 * @throws {ManagementError} `invalid_slug`, `slug_reservado`, `slug_taken`
 */
export function reserveTemplate(
  { stores: { projects }, clock }: Pick<PublishDeps, 'stores' | 'clock'>,
  { ownerId, present, source }: Freezing,
  request: PublishRequest,
): Project {
  const slug =
    request.slug === undefined
      ? templateSlug(source.slug, projects.templateSlugsOf(source.id), projects.isSlugTaken)
      : requireFreeSlug(request.slug, projects.isSlugTaken)
  return projects.reserve({
    slug,
    name: request.name ?? `${source.name} (${slug})`,
    kind: 'template',
    planTier: (present ?? source).planTier,
    ownerId,
    sourceProjectId: source.id,
    frozenAt: clock.now(),
  })
}

/** Activates a version and points the group to it, unless a later version was published meanwhile. */
export function closeClone(
  { projects, groups }: ControlStores,
  group: Group,
  reserved: Project,
  isClosing = true,
): Project {
  const template = projects.activate(reserved.id)
  if (!isClosing) projects.markUnusable(template.id)
  const current = groups.findGroup(group.id)
  if (isClosing && current !== undefined && !isSuperseded(projects, current, template))
    groups.saveGroup({ ...current, templateProjectId: template.id })
  return template
}

// Two simultaneous publishes can finish in any order. The group keeps the later version.
function isSuperseded(
  projects: ControlStores['projects'],
  current: Group,
  template: Project,
): boolean {
  const present = projects.findProject(current.templateProjectId)
  return (
    present?.kind === 'template' &&
    present.sourceProjectId === template.sourceProjectId &&
    projects.ordinalOf(present.id) > projects.ordinalOf(template.id)
  )
}

function cloneIncomplete(template: Project): ManagementError {
  return new ManagementError(
    'clone_incompleto',
    `The template ${template.slug} is an incomplete clone and must not be used.`,
    {
      hint: 'Publish again. The group still uses its previous template.',
      fields: { project_id: template.id, slug: template.slug },
    },
  )
}
