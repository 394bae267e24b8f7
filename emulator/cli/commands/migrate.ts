// `tenantry migrate status|new|apply|lint|rehearse`: the steps of an application's folder, in the running emulator or on the hosted platform.
import { Command } from 'commander'
import type { MigrationStatus } from '../../contract/migrations.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { fleetStatus } from '../../migrations/apply/fleet-status.ts'
import { statusToWire } from '../../migrations/apply/to-wire.ts'
import { toSteps } from '../../migrations/steps/step.ts'
import { readSources } from '../../migrations/steps/step-files.ts'
import { applyCommand } from '../migrate/apply-command.ts'
import { lintCommand } from '../migrate/lint-command.ts'
import { type MigrateOptions, migrateCommandOf } from '../migrate/migrate-options.ts'
import { statusLines } from '../migrate/migrate-report.ts'
import { newCommand } from '../migrate/new-command.ts'
import { rehearseCommand } from '../migrate/rehearse-command.ts'
import { groupOf, remoteFleetOf } from '../migrate/targets.ts'
import { emulatorOf, printAnswer } from '../running-options.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply the migration steps of an application to its template and tenants')
    .addCommand(statusCommand())
    .addCommand(newCommand())
    .addCommand(applyCommand())
    .addCommand(lintCommand())
    .addCommand(rehearseCommand())
}

function statusCommand(): Command {
  return migrateCommandOf(
    'status',
    'compare the steps with the template, its versions and every tenant; ends with exit code 1 for a conflict',
  ).action(async (options: MigrateOptions) => {
    const status = await statusOf(options)
    printAnswer(options, status, statusLines(status))
    const projects = [status.template, ...status.tenants]
    if (projects.some(({ state }) => state === 'conflict' || state === 'unknown'))
      process.exitCode = 1
  })
}

async function statusOf(options: MigrateOptions): Promise<MigrationStatus> {
  const steps = readSources(options.dir)
  if (options.remote !== undefined) {
    const fleet = remoteFleetOf(options.remote, options.group)
    return statusToWire(
      options.group ?? '',
      await fleetStatus(fleet, toSteps(steps).steps, await loadSqlParser()),
    )
  }
  const emulator = emulatorOf(options)
  const group = await groupOf(emulator, options.group)
  return emulator.call('POST /groups/:group/migrations/status', {
    params: { group },
    body: { steps },
  })
}
