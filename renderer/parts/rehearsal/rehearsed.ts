// Reads the result of a rehearsal: visibility changes, losses and the projects that it covered. Pure.
import type { ProjectRehearsal } from '../../../emulator/contract/rehearsals.ts'

/** Whether an identity gains or loses rows in the project, or can no longer read a table. */
export function changesVisibility({ visibility }: ProjectRehearsal): boolean {
  return visibility.length > 0
}

/** Whether the steps lose rows or values of the project. */
export function losesData({ losses }: ProjectRehearsal): boolean {
  return losses.length > 0
}

type Change = ProjectRehearsal['visibility'][number] & { readonly project: string }

/** Returns the visibility changes of all projects, or only of the projects in `slugs`. */
export function changesIn(
  projects: readonly ProjectRehearsal[],
  slugs?: ReadonlySet<string>,
): readonly Change[] {
  return projects
    .filter(({ slug }) => slugs?.has(slug) !== false)
    .flatMap(({ slug, visibility }) => visibility.map((change) => ({ ...change, project: slug })))
}

/** Whether the rehearsal covered all projects in `slugs`. */
export function covers(projects: readonly ProjectRehearsal[], slugs: ReadonlySet<string>): boolean {
  const rehearsed = new Set(projects.map(({ slug }) => slug))
  return [...slugs].every((slug) => rehearsed.has(slug))
}
