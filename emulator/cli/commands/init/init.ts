// `tenantry init`: makes the application folder ./tenantry, and says what to do next.
import { Command, Option } from 'commander'
import { SystemClock } from '../../../core/clock.ts'
import { epochMillis, SECOND_MILLIS } from '../../../core/time.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import { stepVersion } from '../../../workflow/migrations/steps/step-files.ts'
import { KEYS_HELP, type PullOptions, pull, withPullOptions } from '../pull/pull.ts'
import { schemaLine } from '../pull/schema-line.ts'
import { refuseTakenFolder, writeApplication } from '../pull/write-application.ts'
import { DEMOS, type Demo, demoApplication } from './demo-application.ts'
import { minimalApplication } from './minimal-application.ts'

interface InitOptions extends Omit<PullOptions, 'url' | 'project' | 'out'> {
  readonly demo: Demo | undefined
  readonly from: string | undefined
  readonly project: string | undefined
}

const KEEP = 'Edit it, or remove it first.'

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
    .action((options: InitOptions, self: Command) => init(options, self))
}

async function init(options: InitOptions, command: Command): Promise<void> {
  const { demo, from, project } = options
  if (demo !== undefined && from !== undefined)
    command.error('error: --demo and --from exclude each other. Give one of them.')
  if ((from === undefined) !== (project === undefined))
    command.error('error: --from needs --project, and --project needs --from.')
  refuseTakenFolder(APPLICATION_FOLDER, KEEP)
  if (from !== undefined && project !== undefined)
    return pull({ ...options, url: from, project, out: APPLICATION_FOLDER })
  const now = new SystemClock().now()
  const versionOf = (step: number): string => stepVersion(epochMillis(now + step * SECOND_MILLIS))
  const line = schemaLine(APPLICATION_FOLDER)
  const files =
    demo === undefined
      ? minimalApplication(versionOf(0), line)
      : demoApplication(demo, { versionOf, schemaLine: line })
  writeApplication(APPLICATION_FOLDER, files, KEEP)
  const names = files.map(([name]) => name)
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ folder: APPLICATION_FOLDER, files: names })}\n`
      : nextSteps(names),
  )
}

function nextSteps(names: readonly string[]): string {
  const step = names.find((name) => name.startsWith('migrations/')) ?? 'migrations/'
  return [
    `Made ${APPLICATION_FOLDER}/ with ${names.length} files. Commit it; git ignores the data in .tenantry/.`,
    '  tenantry dev                     start the emulator, and apply each file that you save',
    `  ${APPLICATION_FOLDER}/${step}`,
    '                                   the tables: edit them while "tenantry dev" runs',
    `  ${`${APPLICATION_FOLDER}/fixture.yaml`.padEnd(32)} tenants, users, rows and files`,
    '',
  ].join('\n')
}
