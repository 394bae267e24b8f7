// `tenantry migrate status`: compares the steps with the ledgers of a group, and with `--check` the structures with their steps.
import type { Command } from 'commander'
import type { DriftReport } from '../../../contract/drift.ts'
import type { MigrationStatus } from '../../../contract/migrations.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { fleetStatus } from '../../../workflow/migrations/apply/fleet-status.ts'
import { statusToWire } from '../../../workflow/migrations/apply/to-wire.ts'
import { toSteps } from '../../../workflow/migrations/steps/step.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { checkLines, hasDrift } from './check-report.ts'
import { type MigrateOptions, migrateCommandOf } from './migrate-options.ts'
import { statusLines } from './migrate-report.ts'
import { groupOf, readingFleetOf, remoteFleetOf } from './targets.ts'

interface StatusOptions extends MigrateOptions {
  readonly check: boolean
}

interface Checked {
  readonly status: MigrationStatus
  /** Absent without `--check`. */
  readonly drift?: DriftReport
}

export function statusCommand(): Command {
  return migrateCommandOf(
    'status',
    'compare the steps with the template, its versions and every tenant; ends with exit code 1 for a conflict',
  )
    .option(
      '--check',
      'also compare each structure with its steps; ends with exit code 1 for drift, and changes nothing with --remote',
      false,
    )
    .action(async (options: StatusOptions) => {
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
      if (!ok) process.exitCode = 1
    })
}

function checkedOf(options: StatusOptions): Promise<Checked> {
  return options.remote === undefined ? checkedHere(options) : checkedThere(options, options.remote)
}

async function checkedHere(options: StatusOptions): Promise<Checked> {
  const body = { steps: readSources(options.dir) }
  const emulator = emulatorOf(options)
  const params = { group: await groupOf(emulator, options.group) }
  const status = await emulator.call('POST /groups/:group/migrations/status', { params, body })
  if (!options.check) return { status }
  const drift = await emulator.call('POST /groups/:group/migrations/drift', { params, body })
  return { status, drift }
}

async function checkedThere(
  { check, dir, group: named }: StatusOptions,
  url: string,
): Promise<Checked> {
  const { steps } = toSteps(readSources(dir))
  const fleet = check ? readingFleetOf(url, named) : remoteFleetOf(url, named)
  const group = named ?? ''
  const status = statusToWire(group, await fleetStatus(fleet, steps, await loadSqlParser()))
  if (!check) return { status }
  const { remoteDrift } = await import('./remote-drift.ts')
  return { status, drift: await remoteDrift(group, fleet, steps) }
}
