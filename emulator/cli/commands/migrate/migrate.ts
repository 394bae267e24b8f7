// `tenantry migrate status|new|apply|lint|rehearse`: the steps of an application's folder, in the running emulator or on the hosted platform.
import { Command, Option } from 'commander'
import { DEFAULT_DATA_DIR } from '../../../assembly/run-file.ts'
import type { StepRename } from '../../../contract/drift.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { DEFAULT_STEPS } from '../../../workflow/migrations/steps/step-files.ts'
import { parseRowLimit } from '../../parse-options.ts'
import { runningCommand, withAddress } from '../../running-options.ts'
import type { ApplyOptions } from './run-apply.ts'
import type { LintOptions } from './run-lint.ts'
import type { NewOptions } from './run-new.ts'
import type { RehearseOptions } from './run-rehearse.ts'
import type { StatusOptions } from './run-status.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('apply the migration steps of an application to its template and tenants')
    .addCommand(statusCommand())
    .addCommand(newCommand())
    .addCommand(applyCommand())
    .addCommand(lintCommand())
    .addCommand(rehearseCommand())
}

/** Creates a command with the options that name a folder of steps and a group. */
function migrateCommandOf(name: string, description: string): Command {
  return runningCommand(name, description)
    .option('--dir <folder>', 'read the steps of this folder', DEFAULT_STEPS)
    .option('--group <group>', 'name the group by id or name (default: the only group)')
    .option(
      '--remote <url>',
      'address the hosted platform by its auth URL, with keys from TENANTRY_REMOTE_* (default: the running emulator)',
    )
}

function statusCommand(): Command {
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
      const { runStatus } = await import('./run-status.ts')
      await runStatus(options)
    })
}

function newCommand(): Command {
  return withAddress(new Command('new'))
    .description(
      'create an empty step after all other steps, or one that contains the changes of the template',
    )
    .argument('<name>', 'describe the step, e.g. add_reviews')
    .option('--dir <folder>', 'create it in this folder', DEFAULT_STEPS)
    .option(
      '--from-changes',
      'generate the step from what changed in the template of the running emulator since its last step, and record it there',
      false,
    )
    .option('--group <group>', 'name the group by id or name (default: the only group)')
    .option('--allow-destructive', 'include the statements that destroy data', false)
    .option(
      '--rename <rename>',
      'treat a dropped and an added object as renamed, table=new or table.column=new, repeatable',
      (text: string, before: readonly StepRename[]) => [...before, renameOf(text)],
      [],
    )
    .option('--drop-and-add', 'drop and add what could also be renamed, without a question', false)
    .action(async (name: string, options: NewOptions) => {
      const { runNew } = await import('./run-new.ts')
      await runNew(name, options)
    })
}

function applyCommand(): Command {
  return migrateCommandOf(
    'apply',
    'apply pending steps to the template and then to tenants; ends with exit code 1 when one fails',
  )
    .option('--tenants <which>', 'apply to all, none or these tenants, comma-separated', 'none')
    .option(
      '--publish',
      'publish the template before the tenants, unless its newest version has the steps',
      false,
    )
    .option(
      '--canary <slugs>',
      'apply to these tenants first; skip the others when one fails (default: none)',
    )
    .addOption(
      new Option('--on-failure <what>', 'go on with the next tenant after a failure, or stop')
        .choices(['continue', 'stop'])
        .default('continue'),
    )
    .option(
      '--baseline <version>',
      'in projects without a ledger, published versions included, record steps up to this timestamp without running them (default: none)',
    )
    .option('--dry-run', 'show pending steps and run nothing (default with --remote)', false)
    .option(
      '--data-dir <folder>',
      'keep the record of the rollout in this folder',
      DEFAULT_DATA_DIR,
    )
    .option('--yes', 'apply to the hosted platform, with --remote', false)
    .action(async (options: ApplyOptions) => {
      const { runApply } = await import('./run-apply.ts')
      await runApply(options)
    })
}

function lintCommand(): Command {
  return runningCommand(
    'lint',
    'find risks in the steps that the template does not have yet; ends with exit code 1 for an error',
  )
    .option('--dir <folder>', 'read the steps of this folder', DEFAULT_STEPS)
    .option('--group <group>', 'name the group by id or name (default: the only group)')
    .option('--all', 'lint every step from its text alone, also without an emulator', false)
    .action(async (options: LintOptions) => {
      const { runLint } = await import('./run-lint.ts')
      await runLint(options)
    })
}

function rehearseCommand(): Command {
  return migrateCommandOf(
    'rehearse',
    'run pending steps in the template and tenants and roll them back; ends with exit code 1 when one would fail. With --remote, they run in a copy of each project, and nothing changes there',
  )
    .option('--tenants <which>', 'rehearse all, none or these tenants, comma-separated', 'all')
    .option(
      '--row-limit <count>',
      'copy at most this many rows of each table that matters to the steps, with --remote',
      parseRowLimit,
      1_000,
    )
    .addOption(
      new Option('--markdown', 'print Markdown for a pull request')
        .default(false)
        .conflicts('json'),
    )
    .action(async (options: RehearseOptions) => {
      const { runRehearse } = await import('./run-rehearse.ts')
      await runRehearse(options)
    })
}

class RenameOptionError extends EmulatorError {
  override readonly code = 'invalid_rename'
}

/** Parses `orders=purchases` or `orders.total=amount`. @throws {EmulatorError} */
function renameOf(text: string): StepRename {
  const [from = '', to = '', ...more] = text.split('=')
  const [table = '', column] = from.split('.')
  if (table === '' || column === '' || to === '' || more.length > 0)
    throw new RenameOptionError(`${JSON.stringify(text)} is not a rename.`, {
      hint: 'Write --rename table=new or --rename table.column=new.',
    })
  if (column === undefined) return { kind: 'table', from, to }
  return { kind: 'column', from, to: to.includes('.') ? to : `${table}.${to}` }
}
