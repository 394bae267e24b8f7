// Finds the project that a request to the emulator's own API names.
import { parseSchemaName, slugOf, trusted } from '../../core/names.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { InspectorError } from './errors.ts'

/** Finds a project by schema name, slug or id. @throws {InspectorError} `not_found` */
export function findProject(projects: ProjectRegistry, reference: string): Project {
  const schemaName = parseSchemaName(reference)
  const project =
    projects.findProjectBySlug(schemaName === undefined ? reference : slugOf(schemaName)) ??
    projects.findProject(trusted.projectId(reference))
  if (project === undefined)
    throw new InspectorError('not_found', `There is no project ${reference}.`, {
      hint: 'Name it by schema name, slug or id.',
    })
  return project
}

/**
 * Finds a project that has tables. A deleted project keeps its tables until it is purged.
 * @throws {InspectorError} `not_found`
 */
export function liveProject(projects: ProjectRegistry, reference: string): Project {
  const project = findProject(projects, reference)
  if (project.state === 'active' || project.state === 'deleted') return project
  throw new InspectorError(
    'not_found',
    `Project ${reference} is ${project.state}: it has no tables and no users.`,
  )
}
