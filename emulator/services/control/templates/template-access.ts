// Checks whether a template can be cloned and whether a source can be published. The two 409 errors also occur when a project
// switch simulates a problem of the hosted platform.
import type { Project } from '../../../platform/projects/project.ts'
import { ManagementError } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import type { ControlStores } from '../stores.ts'

/** Returns the project that a group's tenants are cloned from. @throws {ManagementError} `template_indisponivel` */
export function requireClonableTemplate(
  { projects }: Pick<ControlStores, 'projects'>,
  group: Group,
): Project {
  const template = projects.findProject(group.templateProjectId)
  if (template?.state !== 'active' || projects.switches.isArmed(template.id, 'template_deleted'))
    throw new ManagementError(
      'template_indisponivel',
      'The group’s template project was deleted.',
      {
        hint: 'Publish a new version from the source, or point the group to another template.',
      },
    )
  if (projects.switches.isArmed(template.id, 'template_dedicated_misaligned'))
    throw new ManagementError(
      'template_indisponivel',
      'The template runs on a dedicated database, and the structure for cloning differs from it.',
      { hint: 'Ask support to align the structure. Repeating the call does not help.' },
    )
  requireUsable({ projects }, template)
  return template
}

/** @throws {ManagementError} `template_indisponivel` for a template whose clone did not complete */
export function requireUsable(
  { projects }: Pick<ControlStores, 'projects'>,
  template: Project,
): void {
  if (!projects.isUsable(template.id))
    throw new ManagementError(
      'template_indisponivel',
      `The template ${template.slug} is an incomplete clone and must not be used.`,
      { hint: 'Publish again and use the new version.' },
    )
}

/**
 * Returns the project whose schema a publish copies: the source of the group's template, or the group's project itself if it is
 * not a template.
 */
export function findSource(
  { projects }: Pick<ControlStores, 'projects'>,
  group: Group,
): Project | undefined {
  const template = projects.findProject(group.templateProjectId)
  if (template?.kind !== 'template') return template
  return template.sourceProjectId && projects.findProject(template.sourceProjectId)
}

/** @throws {ManagementError} `fonte_indisponivel` */
export function requirePublishableSource(
  stores: Pick<ControlStores, 'projects'>,
  group: Group,
): Project {
  const source = findSource(stores, group)
  if (source?.state !== 'active')
    throw new ManagementError('fonte_indisponivel', 'The group’s source project was deleted.', {
      hint: 'Point the group to another template first.',
    })
  if (isArmedOnPublish(stores, group, source, 'source_out_of_sync'))
    throw new ManagementError(
      'fonte_indisponivel',
      'The source runs on a dedicated database and changed since the last synchronisation.',
      { hint: 'Ask support to synchronise, then repeat the same call.' },
    )
  return source
}

/** Whether the switch is on for the source or for the group's current template. Publishing checks both projects. */
export function isArmedOnPublish(
  { projects }: Pick<ControlStores, 'projects'>,
  group: Group,
  source: Project,
  situation: 'source_out_of_sync' | 'clone_incomplete',
): boolean {
  return [source.id, group.templateProjectId].some((id) => projects.switches.isArmed(id, situation))
}
