// `tenantry pull`: makes an application folder from a project that runs elsewhere, or a step with what changed there since
// (docs/guide/own-application.md#pull).
import { Command, Option } from 'commander'
import { SystemClock } from '../../../core/clock.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import {
  type PulledProject,
  projectRef,
  pullProject,
} from '../../../workflow/migrations/pull/pull-project.ts'
import {
  createPlatformClient,
  type PlatformClient,
} from '../../../workflow/migrations/remote/platform-client.ts'
import { readRemoteKeys } from '../../../workflow/migrations/remote/remote-keys.ts'
import { stepVersion } from '../../../workflow/migrations/steps/step-files.ts'
import { answerClient } from '../../answer-client.ts'
import { parseCount, parseNames } from '../../parse-options.ts'
import { pulledApplication } from './pulled-application.ts'
import { schemaLine } from './schema-line.ts'
import { isApplication, refuseTakenFolder, writeApplication } from './write-application.ts'

const OTHER_FOLDER = 'Name another folder with --out.'

export interface PullOptions {
  readonly url: string
  readonly project: string
  readonly out: string
  readonly group: string | undefined
  readonly rows: readonly string[]
  readonly rowLimit: number
  readonly mask: readonly string[]
  readonly users: 'none' | 'masked'
  readonly json: boolean
}

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
  return withPullOptions(command).addHelpText('after', KEYS_HELP).action(pull)
}

/** Adds the options that say what is read of a project. */
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

/** Reads the project and writes the folder. @throws {EmulatorError} */
export async function pull(options: PullOptions): Promise<void> {
  const { group, mask, out, project, rowLimit, rows, url, users } = options
  const isAgain = isApplication(out)
  if (!isAgain) refuseTakenFolder(out, OTHER_FOLDER)
  const keys = readRemoteKeys(process.env)
  const client = createPlatformClient({ url, keys, http: answerClient() })
  if (isAgain) return pullAgain(client, options)
  const pulled = await pullProject(client, {
    project,
    group,
    rows: { tables: rows, limit: rowLimit, masks: mask },
    users,
  })
  const version = stepVersion(new SystemClock().now())
  const written = pulledApplication(pulled, version, schemaLine(out))
  writeApplication(out, written, OTHER_FOLDER)
  const files = written.map(([name]) => name)
  const words = options.json
    ? JSON.stringify({ folder: out, files, tables: pulled.tables, notes: pulled.notes })
    : sentences(options, files, version, pulled)
  process.stdout.write(`${words}\n`)
}

async function pullAgain(client: PlatformClient, options: PullOptions): Promise<void> {
  const { json, out, project } = options
  const { pullChanges } = await import('./pull-changes.ts')
  const ref = projectRef(project)
  const { notes, step = null } = await pullChanges(out, (sql) => client.exec(ref, sql))
  const written =
    step === null
      ? `Nothing changed there: ${out} has no new step.`
      : `Wrote ${step}. Read it before you apply it.`
  const words = json ? JSON.stringify({ folder: out, step, notes }) : [written, ...notes].join('\n')
  process.stdout.write(`${words}\n`)
}

function sentences(
  options: PullOptions,
  files: readonly string[],
  version: string,
  pulled: PulledProject,
): string {
  const { out: folder } = options
  const { notes, tables } = pulled
  const count = tables === 1 ? '1 table' : `${tables} tables`
  return [
    `Wrote ${folder} with ${count}:`,
    ...files.map((name) => `  ${name}`),
    ...notes,
    `Try it: tenantry dev${folder === APPLICATION_FOLDER ? '' : ` --fixture ${folder}`}`,
    ...(pulled.hasLedger ? [] : recordLines(options, version)),
  ].join('\n')
}

/** Says how the projects of the group learn that they have the pulled step already. */
function recordLines({ group, out, url }: PullOptions, version: string): readonly string[] {
  if (group === undefined) return []
  const dir = out === APPLICATION_FOLDER ? '' : ` --dir ${out}/migrations`
  const which = `--remote ${url} --group ${group} --tenants all --baseline ${version}${dir}`
  return [`Record this step there, before you add others: tenantry migrate apply ${which}`]
}
