// Formats what a save did, for the terminal and as a JSON line. Pure.
import { isAbsolute, join } from 'node:path'
import type { FixtureCounts, FixtureProblem, FollowReport } from '../../contract/fixtures.ts'

/** A report of `tenantry dev`, with the time from the save until its effect can be seen. */
export interface DevReport extends FollowReport {
  /** Whether the file of types was written. */
  readonly hasNewTypes: boolean
}

/** Returns lines for the terminal. Problems are in the format that editors and terminals link. */
export function devLines(folder: string, report: DevReport): string {
  const { created, duration_ms: millis, event, hasNewTypes, kept, migrated, problems } = report
  if (event === 'refused')
    return [
      ...problems.map((problem) => problemLines(folder, problem)),
      `Refused in ${millis} ms. The emulator stays as it was.`,
    ].join('\n')
  const parts = [
    ...migratedText(migrated),
    countsText(created),
    hasNewTypes ? `types in ${report.types?.file}` : '',
  ].filter((part) => part !== '')
  const head = event === 'rebuilt' ? 'Rebuilt' : 'Applied'
  return [
    `${head} in ${millis} ms: ${parts.join('; ') || 'nothing new'}.`,
    ...(kept.length === 0 ? [] : [keptLine(kept)]),
  ].join('\n')
}

/** Returns the line that announces a rebuild. */
export function rebuildLine(slugs: readonly string[]): string {
  return `A step changed after it ran. Rebuilding ${slugs.join(', ')} from the steps: keys, users and the fixture's rows stay, other rows are lost.`
}

/** Returns the report as one line of JSON, with the members that scripts need. */
export function devJson(report: DevReport): string {
  const { created, duration_ms, event, hasNewTypes, kept, migrated, problems, rebuilt } = report
  const types = hasNewTypes ? (report.types?.file ?? null) : null
  return JSON.stringify({ event, migrated, rebuilt, kept, created, types, problems, duration_ms })
}

function problemLines(
  folder: string,
  { file, line, message, path, statement }: FixtureProblem,
): string {
  const where = `${isAbsolute(file) ? file : join(folder, file)}${line === null ? '' : `:${line}`}`
  // In a file of rows or SQL, the path of the definition that names the file is no help.
  const place = path !== '' && file.endsWith('.yaml') ? `${path} ` : ''
  const head = `${where}: ${place}${message}`
  return statement === undefined ? head : `${head}\n${indented(statement)}`
}

const MAX_STATEMENT_LINES = 6

function indented(statement: string): string {
  const lines = statement.split('\n')
  const shown = lines.slice(0, MAX_STATEMENT_LINES)
  return [...shown, ...(lines.length > shown.length ? ['…'] : [])]
    .map((line) => `    ${line}`)
    .join('\n')
}

function migratedText(migrated: DevReport['migrated']): readonly string[] {
  const byStep = new Map<string, string[]>()
  for (const { project, steps } of migrated)
    for (const step of steps) byStep.set(step, [...(byStep.get(step) ?? []), project])
  return [...byStep].map(([step, projects]) =>
    projects.length > 3
      ? `${step} in ${projects.length} projects`
      : `${step} in ${projects.join(', ')}`,
  )
}

function countsText(counts: FixtureCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} new ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ')
}

function keptLine(slugs: readonly string[]): string {
  const shown = slugs.slice(0, 5).join(', ')
  const more = slugs.length > 5 ? ` and ${slugs.length - 5} more` : ''
  return `Keep the old structure: ${shown}${more}. Set template.migrate_tenants in fixture.yaml to rebuild them, too.`
}
