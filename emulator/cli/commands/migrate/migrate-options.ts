// Options that the commands of `tenantry migrate` share.
import type { Command } from 'commander'
import { DEFAULT_STEPS } from '../../../workflow/migrations/steps/step-files.ts'
import { type RunningOptions, runningCommand } from '../../running-options.ts'

export interface MigrateOptions extends RunningOptions {
  readonly dir: string
  readonly group: string | undefined
  readonly remote: string | undefined
}

/** Creates a command that reads steps and addresses a group. */
export function migrateCommandOf(name: string, description: string): Command {
  return runningCommand(name, description)
    .option('--dir <folder>', 'read the steps of this folder', DEFAULT_STEPS)
    .option('--group <group>', 'name the group by id or name (default: the only group)')
    .option(
      '--remote <url>',
      'address the hosted platform by its auth URL, with keys from TENANTRY_REMOTE_* (default: the running emulator)',
    )
}
