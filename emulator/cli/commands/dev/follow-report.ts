// Formats what a save did, for the terminal and as a JSON line. Pure.
import { isAbsolute, join } from 'node:path'
import type {
  FixtureCounts,
  FixtureProblem,
  FollowLoss,
  FollowReport,
} from '../../../contract/fixtures.ts'
import { printable } from '../../../core/printable.ts'
import { keptLines, rowChangeTexts } from '../../row-changes.ts'
import { changeText } from '../migrate/rehearse-report.ts'

/** A report of `tenantry dev`, with the time from the save until its effect can be seen. */
export interface DevReport extends FollowReport {
  /** Whether the file of types was written. */
  readonly hasNewTypes: boolean
}

/** Most lines about visible rows in one report; the inspector shows all. */
const MAX_PEOPLE = 10

/**
 * Returns a function that describes reports as lines for the terminal. The function reports an incomplete step once, and then
 * returns an empty text while the same step stays incomplete.
 */
export function createDescriber(folder: string): (report: DevReport) => string {
  let said: readonly string[] = []
  return (report) => {
    const before = said
    said = report.being_written
    return said.length > 0 && said.every((file) => before.includes(file))
      ? ''
      : devLines(folder, report)
  }
}

/** Returns lines for the terminal. Problems are in the format that editors and terminals link. */
export function devLines(folder: string, report: DevReport): string {
  const { being_written: unfinished, duration_ms: millis, event, kept, problems } = report
  if (event === 'waiting') return waitingLines(report)
  if (event === 'refused')
    return [
      ...problems.map((problem) => problemLines(folder, problem)),
      unfinished.length > 0
        ? `Waiting until ${unfinished.join(' and ')} can be parsed. The emulator stays as it was.`
        : `Refused in ${millis} ms. The emulator stays as it was.`,
    ].join('\n')
  const parts = [
    ...stepsText(changed(report)).map((text) => `changed ${text}`),
    ...stepsText(takenBack(report)).map((text) => `took back ${text}`),
    ...stepsText(withoutRedone(report)),
    countsText(report.created),
    ...rowChangeTexts(report.rows),
    report.hasNewTypes ? `types in ${report.types?.file}` : '',
  ].filter((part) => part !== '')
  const head = event === 'rebuilt' ? 'Rebuilt' : 'Applied'
  return [
    `${head} in ${millis} ms: ${parts.join('; ') || 'nothing new'}.`,
    ...report.losses.map((loss) => `  Lost: ${lossText(loss)}`),
    ...keptLines(report.rows).map((line) => `  ${line}`),
    ...peopleLines(report.people),
    ...report.notes.map((one) => `  ${noteText(one)}`),
    ...lintedLines(folder, report.lint),
    ...(kept.length === 0 ? [] : [keptLine(kept)]),
  ].join('\n')
}

/** Returns the line that announces a rebuild. */
export function rebuildLine(slugs: readonly string[]): string {
  return `Emptying ${slugs.join(', ')} and running all steps again. Keys, users and the fixture's rows stay.`
}

function waitingLines({ duration_ms: millis, losses, stuck }: DevReport): string {
  const isOfValues = stuck.length === 0 && losses.every(({ column }) => column !== null)
  const what = isOfValues ? 'values' : 'rows'
  return [
    `Waiting after ${millis} ms, because this save would lose ${what}:`,
    ...losses.map((loss) => `  ${lossText(loss)}`),
    ...stuck.map(
      ({ project, reason }) =>
        `  ${project} has to be emptied, which keeps keys, users and the fixture's rows: ${reason}.`,
    ),
    `The emulator stays as it was. Press r to lose these ${what}, or run "tenantry dev --rebuild".`,
  ].join('\n')
}

function lossText({ column, example, project, rows, table }: FollowLoss): string {
  const count = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  const what =
    column === null ? `${count} of ${table}` : `the values of ${table}.${column} in ${count}`
  return `${project}: ${what}${example === null ? '' : `, e.g. ${printable(example)}`}`
}

function peopleLines(people: DevReport['people']): readonly string[] {
  const shown = people.slice(0, MAX_PEOPLE)
  const left = people.length - shown.length
  return [
    ...shown.map((change) => `  ${change.project}: ${printable(changeText(change))}`),
    ...(left === 0 ? [] : [`  … and ${left} more, under Fixtures in the inspector.`]),
  ]
}

function noteText({ note, projects }: DevReport['notes'][number]): string {
  return `${projectsText(projects)}: ${printable(note)}`
}

function projectsText(slugs: readonly string[]): string {
  return slugs.length > 3 ? `${slugs.length} projects` : slugs.join(', ')
}

function lintedLines(folder: string, findings: DevReport['lint']): readonly string[] {
  return findings.flatMap(({ file, line, message, rule, safer, severity }) => [
    `  ${join(folder, file)}:${line}: ${severity} ${rule}: ${printable(message)}`,
    ...(safer === null ? [] : [`    safer: ${printable(safer)}`]),
  ])
}

/** Returns the report as one line of JSON, with the members that scripts need. */
export function devJson({ fixture: _, hasNewTypes, types, ...report }: DevReport): string {
  return JSON.stringify({ ...report, types: hasNewTypes ? (types?.file ?? null) : null })
}

function problemLines(
  folder: string,
  { file, line, message, path, statement }: FixtureProblem,
): string {
  const where = `${isAbsolute(file) ? file : join(folder, file)}${line === null ? '' : `:${line}`}`
  // For a problem in a file of rows or SQL, the path in the fixture's definition does not help.
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

/** Omits steps that were undone and run again, because another line reports them as changed. */
function withoutRedone({ migrated, redone }: DevReport): DevReport['migrated'] {
  return migrated.map(({ project, steps }) => {
    const again = redone.find((one) => one.project === project)?.steps ?? []
    return { project, steps: steps.filter((step) => !again.includes(step)) }
  })
}

function takenBack({ redone }: DevReport): DevReport['migrated'] {
  return redone.map(({ project, removed }) => ({ project, steps: removed }))
}

function changed({ redone }: DevReport): DevReport['migrated'] {
  return redone.map(({ project, removed, steps }) => ({
    project,
    steps: steps.filter((step) => !removed.includes(step)),
  }))
}

function stepsText(ran: DevReport['migrated']): readonly string[] {
  const byStep = new Map<string, string[]>()
  for (const { project, steps } of ran)
    for (const step of steps) byStep.set(step, [...(byStep.get(step) ?? []), project])
  return [...byStep].map(([step, projects]) => `${step} in ${projectsText(projects)}`)
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
