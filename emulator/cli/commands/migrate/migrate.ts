// `tenantry migrate status|new|apply|lint|rehearse`: the steps of an application's folder, in the running emulator or on the hosted platform.
import { Command } from 'commander'
import { applyCommand } from './apply-command.ts'
import { lintCommand } from './lint-command.ts'
import { newCommand } from './new-command.ts'
import { rehearseCommand } from './rehearse-command.ts'
import { statusCommand } from './status-command.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply the migration steps of an application to its template and tenants')
    .addCommand(statusCommand())
    .addCommand(newCommand())
    .addCommand(applyCommand())
    .addCommand(lintCommand())
    .addCommand(rehearseCommand())
}
