// The project that a route of the emulator's own API names, when it has a schema to look into.
import type { Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { findProject } from './decode.ts'
import { InspectorError } from './errors.ts'

/** A deleted project keeps its schema until it is purged. @throws {InspectorError} `not_found` */
export function liveProject(projects: ProjectRegistry, reference: string): Project {
  const project = findProject(projects, reference)
  if (project.state === 'active' || project.state === 'deleted') return project
  throw new InspectorError(
    'not_found',
    `Project ${reference} is ${project.state}: it has no tables and no users.`,
  )
}
