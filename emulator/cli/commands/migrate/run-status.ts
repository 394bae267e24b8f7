// Runs `tenantry migrate status`: compares the steps with the ledgers of a group. With `--check`, also compares each project's
// structure with its steps.
import type { DriftReport, ProjectDrift } from '../../../contract/drift.ts'
import { differencesText, stepsText } from '../../../contract/fact-words.ts'
import type { MigrationProject, MigrationStatus } from '../../../contract/migrations.ts'
import { defined } from '../../../core/defined.ts'
import { printable } from '../../../core/printable.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { fleetStatus } from '../../../workflow/migrations/apply/fleet-status.ts'
import { type KnownDifferences, statusToWire } from '../../../workflow/migrations/apply/to-wire.ts'
import { toSteps } from '../../../workflow/migrations/steps/step.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { differenceText } from './rehearse-report.ts'
import { groupOf, type MigrateOptions, readingFleetOf, remoteFleetOf } from './targets.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface StatusOptions extends MigrateOptions {
  readonly check: boolean
}

interface Checked {
  readonly status: MigrationStatus
  /** Absent without `--check`. */
  readonly drift?: DriftReport
}

/** Prints the comparison, and sets the exit code. @throws {EmulatorError} */
export async function runStatus(options: StatusOptions): Promise<void> {
  const { drift, status } = await checkedOf(options)
  const isRead = [status.template, ...status.tenants].every(
    ({ state }) => state !== 'conflict' && state !== 'unknown',
  )
  const projects = drift === undefined ? [] : [drift.template, ...drift.tenants]
  const ok = isRead && !projects.some(hasDrift)
  if (drift === undefined) printAnswer(options, status, statusLines(status))
  else {
    const lines = [statusLines(status), checkLines(projects)].join('\n')
    printAnswer(options, { ...status, ok, drift: projects }, lines)
  }
  if (!ok) terminal().exitCode = 1
}

function checkedOf(options: StatusOptions): Promise<Checked> {
  return options.remote === undefined ? checkedHere(options) : checkedThere(options, options.remote)
}

async function checkedHere(options: StatusOptions): Promise<Checked> {
  const body = { steps: readSources(options.dir) }
  const emulator = emulatorOf(options)
  const params = { group: await groupOf(emulator, options.group) }
  // Compares the structures before it reads the status, because the status contains the differences that the emulator knows.
  const drift = options.check
    ? await emulator.call('POST /groups/:group/migrations/drift', { params, body })
    : undefined
  const status = await emulator.call('POST /groups/:group/migrations/status', { params, body })
  return defined({ status, drift })
}

async function checkedThere(
  { check, dir, group: named }: StatusOptions,
  url: string,
): Promise<Checked> {
  const { steps } = toSteps(readSources(dir))
  const fleet = check ? readingFleetOf(url, named) : remoteFleetOf(url, named)
  const group = named ?? ''
  const read = await fleetStatus(fleet, steps, await loadSqlParser())
  if (!check) return { status: statusToWire(group, read, () => undefined) }
  const { remoteDrift } = await import('./remote-drift.ts')
  const drift = await remoteDrift(group, fleet, steps)
  return { status: statusToWire(group, read, differencesIn(drift)), drift }
}

/** Returns a function that finds a project's differences in the drift report by its slug. */
function differencesIn({ template, tenants }: DriftReport): KnownDifferences {
  const bySlug = new Map([template, ...tenants].map((project) => [project.slug, project]))
  return (slug) => {
    const found = bySlug.get(slug)
    return found && { comparedWith: found.compared_with, differences: found.differences }
  }
}

function statusLines({ group, template, tenants, versions }: MigrationStatus): string {
  const rows = [
    ...[template].map((project) => ['template', project] as const),
    ...versions.map((project) => ['version', project] as const),
    ...tenants.map((project) => ['tenant', project] as const),
  ]
  const width = Math.max(...rows.map(([, { slug }]) => slug.length))
  return [
    `Group ${group}, ${counted(template.steps.length, 'step')}`,
    ...rows.map(
      ([kind, project]) =>
        `  ${kind.padEnd(8)}  ${project.slug.padEnd(width)}  ${factsText(project)}`,
    ),
  ].join('\n')
}

/** Describes the two facts about a project (contract/project-facts.ts), with its problem or the names of its pending steps. */
function factsText(project: MigrationProject): string {
  const { facts, problem, state, steps, template_version: version } = project
  const from = version === null ? '' : ` (from ${version})`
  if (state === 'deleted') return `removed${from}`
  const pending = steps.filter((step) => step.state === 'pending' || step.state === 'interrupted')
  const names = pending.map(({ name, version: stamp }) => `${stamp}_${name}`).join(', ')
  const detail = problem ?? names
  const text = `steps: ${stepsText(facts.steps)}${detail === '' ? '' : ` (${detail})`}`
  return printable(`${text}; structure: ${differencesText(facts.differences)}${from}`)
}

/** Whether a project differs from what its steps build, or could not be compared. */
function hasDrift({ compared_with: compared, differences, note }: ProjectDrift): boolean {
  return differences.length > 0 || (compared === null && note !== null)
}

/** Returns a line for each difference and each structure that was not compared, and a summary. */
function checkLines(projects: readonly ProjectDrift[]): string {
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
