// What a rehearsal says about who sees which rows. Pure.
import type { ProjectRehearsal } from '../../../emulator/contract/rehearsals.ts'

/** Whether an identity gains or loses rows in the project, or can no longer read a table. */
export function changesVisibility({ visibility }: ProjectRehearsal): boolean {
  return visibility.length > 0
}

/** A rehearsed project, with what the statements lose where that was counted. */
export interface RehearsedProject extends ProjectRehearsal {
  readonly losses?: readonly object[]
}

type Change = ProjectRehearsal['visibility'][number] & { readonly project: string }

/** Returns the changes of the projects; with `slugs`, of those alone. */
export function changesIn(
  projects: readonly ProjectRehearsal[],
  slugs?: ReadonlySet<string>,
): readonly Change[] {
  return projects
    .filter(({ slug }) => slugs?.has(slug) !== false)
    .flatMap(({ slug, visibility }) => visibility.map((change) => ({ ...change, project: slug })))
}

/** Whether the rehearsal had all of these projects, with the steps that are pending in them. */
export function covers(projects: readonly ProjectRehearsal[], slugs: ReadonlySet<string>): boolean {
  const rehearsed = new Set(projects.map(({ slug }) => slug))
  return [...slugs].every((slug) => rehearsed.has(slug))
}
