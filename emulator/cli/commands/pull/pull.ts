// `tenantry pull`: makes an application folder from a project that runs elsewhere, or a step with the project's changes that the
// folder's steps lack (docs/guide/pull.md).
import { Command, Option } from 'commander'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import { parseCount, parseNames } from '../../parse-options.ts'
import type { PullOptions } from './run-pull.ts'

export function pullCommand(): Command {
  const command = new Command('pull')
    .description(
      'make an application folder from a project that runs elsewhere, or a step with what changed there since',
    )
    .requiredOption('--url <url>', 'set the address of the platform’s auth host')
    .requiredOption('--project <slug>', 'set the project: its slug or its id')
    .option(
      '--out <folder>',
      'write into this folder; into an application folder, only a step with what changed',
      APPLICATION_FOLDER,
    )
  return withPullOptions(command)
    .addHelpText('after', KEYS_HELP)
    .action(async (options: PullOptions) => {
      const { pull } = await import('./run-pull.ts')
      await pull(options)
    })
}

/** Adds the options that choose the data to read from a project. */
export function withPullOptions(command: Command): Command {
  return command
    .option(
      '--group <id>',
      'read the tenants of this group, whose template the project is (default: none)',
    )
    .addOption(
      new Option('--rows <tables>', 'read rows of these tables, comma-separated (default: none)')
        .argParser(parseNames)
        .default([], 'none'),
    )
    .option('--row-limit <count>', 'read at most this many rows of each table', parseCount, 100)
    .addOption(
      new Option(
        '--mask <columns>',
        'replace these columns’ values with harmless ones, comma-separated: <column> or <table>.<column> (default: none)',
      )
        .argParser(parseNames)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--users <which>',
        'read the users that rows refer to, with their ids and metadata and made-up addresses ("masked"), or no users',
      )
        .choices(['none', 'masked'])
        .default('masked'),
    )
    .option('--json', 'print the result as JSON', false)
}

export const KEYS_HELP = `
Keys are read from the environment:
  TENANTRY_REMOTE_MANAGEMENT_KEY  management key of the project
  TENANTRY_REMOTE_SESSION_TOKEN   session of the dashboard, instead of the management key
  TENANTRY_REMOTE_GROUP_API_KEY   key of the group, for --group`
