// `tenantry init`: makes the application folder ./tenantry, and says what to do next.
import { Command, Option } from 'commander'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import { KEYS_HELP, withPullOptions } from '../pull/pull.ts'
import type { Demo, InitOptions } from './run-init.ts'

const DEMOS: readonly Demo[] = ['clinics', 'shop', 'quota-edge']

export function initCommand(): Command {
  const command = new Command('init')
    .description(
      `make ./${APPLICATION_FOLDER}, the folder of your application's tables and development data`,
    )
    .addOption(
      new Option(
        '--demo <story>',
        'start from a story of the package (default: one table of notes)',
      ).choices(DEMOS),
    )
    .option('--from <url>', 'pull a project from the platform at this auth host (default: none)')
    .option('--project <slug>', 'set the project to pull: its slug or its id')
  return withPullOptions(command)
    .addHelpText('after', KEYS_HELP)
    .action(async (options: InitOptions, self: Command) => {
      requireOneSource(options, self)
      const { runInit } = await import('./run-init.ts')
      await runInit(options)
    })
}

function requireOneSource({ demo, from, project }: InitOptions, command: Command): void {
  if (demo !== undefined && from !== undefined)
    command.error('error: --demo and --from exclude each other. Give one of them.')
  if ((from === undefined) !== (project === undefined))
    command.error('error: --from needs --project, and --project needs --from.')
}
