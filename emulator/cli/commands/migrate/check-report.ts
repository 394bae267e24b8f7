// Formats the drift of `tenantry migrate status --check` for the terminal. Pure.
import type { ProjectDrift } from '../../../contract/drift.ts'
import { printable } from '../../../core/printable.ts'
import { counted } from './migrate-report.ts'

/** Whether a project differs, or could not be compared with what its steps say. */
export function hasDrift({ compared_with: compared, differences, note }: ProjectDrift): boolean {
  return differences.length > 0 || (compared === null && note !== null)
}

/** Returns a line for each difference and each structure that was not compared, and a summary. */
export function checkLines(projects: readonly ProjectDrift[]): string {
  const compared = projects.filter(({ compared_with: other }) => other !== null)
  const drifted = projects.filter(({ differences }) => differences.length > 0)
  const missed = projects.filter((project) => hasDrift(project) && !drifted.includes(project))
  return [
    ...projects.flatMap(({ differences, note, slug }) => [
      ...differences.map((difference) => `${slug}: ${differenceText(difference)}`),
      ...(note === null ? [] : [`${slug}: ${note}`]),
    ]),
    summary({ all: projects.length, compared: compared.length, drifted: drifted.length }),
    ...(missed.length === 0 ? [] : [`${counted(missed.length, 'project')} could not be compared.`]),
  ]
    .map(printable)
    .join('\n')
}

function summary(count: Readonly<Record<'all' | 'compared' | 'drifted', number>>): string {
  const { all, compared, drifted } = count
  if (drifted === 0)
    return `Structures were compared with their steps in ${compared} of ${counted(all, 'project')}: no drift.`
  return `${drifted} of ${counted(all, 'project')} ${drifted === 1 ? 'differs from its' : 'differ from their'} steps.`
}

/** Names an object that differs from what the project's steps say. */
export function differenceText({
  kind,
  name,
  object,
}: ProjectDrift['differences'][number]): string {
  return `${object} ${name} is ${kind}`
}
