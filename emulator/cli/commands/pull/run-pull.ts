// Runs `tenantry pull`: reads a project that runs elsewhere, and makes its application folder with fixture.yaml, the first
// migration step and rows.
import { stringify } from 'yaml'
import { SystemClock } from '../../../core/clock.ts'
import { escapeReferences } from '../../../workflow/fixtures/apply/rows/references.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'
import type { FixtureInput } from '../../../workflow/fixtures/read/fixture-shape.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'
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
import { showing } from '../../live-line.ts'
import { answerClient } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import {
  isApplication,
  refuseTakenFolder,
  schemaLine,
  writeApplication,
} from './write-application.ts'

const OTHER_FOLDER = 'Name another folder with --out.'
const NOTHING = { afterInterrupt: 'Nothing was written.' } as const

/** The parsed options of the command line, with defaults filled in. */
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

/** Reads the project and writes the folder. @throws {EmulatorError} */
export async function pull(options: PullOptions): Promise<void> {
  const { group, mask, out, project, rowLimit, rows, url, users } = options
  const isAgain = isApplication(out)
  if (!isAgain) refuseTakenFolder(out, OTHER_FOLDER)
  const keys = readRemoteKeys(process.env)
  const client = createPlatformClient({ url, keys, http: answerClient() })
  if (isAgain) return pullAgain(client, options)
  const order = { project, group, rows: { tables: rows, limit: rowLimit, masks: mask }, users }
  const pulled = await showing(`Reading ${project}`, () => pullProject(client, order), NOTHING)
  const version = stepVersion(new SystemClock().now())
  const written = pulledApplication(pulled, version, schemaLine(out))
  writeApplication(out, written, OTHER_FOLDER)
  const files = written.map(([name]) => name)
  const words = options.json
    ? JSON.stringify({ folder: out, files, tables: pulled.tables, notes: pulled.notes })
    : sentences(options, files, version, pulled)
  terminal().stdout.write(`${words}\n`)
}

async function pullAgain(client: PlatformClient, options: PullOptions): Promise<void> {
  const { json, out, project } = options
  const { pullChanges } = await import('./pull-changes.ts')
  const ref = projectRef(project)
  const { notes, step = null } = await showing(
    `Comparing ${project} with ${out}`,
    () => pullChanges(out, (sql) => client.exec(ref, sql)),
    NOTHING,
  )
  const written =
    step === null
      ? `Nothing changed there: ${out} has no new step.`
      : `Wrote ${step}. Read it before you apply it.`
  const words = json ? JSON.stringify({ folder: out, step, notes }) : [written, ...notes].join('\n')
  terminal().stdout.write(`${words}\n`)
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

/** Says how to record the pulled step in the ledgers of the group's projects, which have its changes already. */
function recordLines({ group, out, url }: PullOptions, version: string): readonly string[] {
  if (group === undefined) return []
  const dir = out === APPLICATION_FOLDER ? '' : ` --dir ${out}/migrations`
  const which = `--remote ${url} --group ${group} --tenants all --baseline ${version}${dir}`
  return [`Record this step there, before you add others: tenantry migrate apply ${which}`]
}

/**
 * @param version timestamp of 14 digits for the step
 * @param schemaLine first line of `fixture.yaml`
 */
function pulledApplication(
  pulled: PulledProject,
  version: string,
  schemaLine: string,
): readonly (readonly [string, string])[] {
  const rows = pulled.rows.map(({ rows: list, table }): readonly [string, string] => [
    rowsFile(table),
    escapeReferences(`[\n${list.map((row) => `  ${row}`).join(',\n')}\n]\n`),
  ])
  return [
    [FIXTURE_FILE, `${schemaLine}\n${yamlOf(pulled)}`],
    [`migrations/${version}_pulled.sql`, pulled.step],
    ...rows,
  ]
}

function rowsFile(table: string): string {
  return `rows/${encodeURIComponent(table)}.json`
}

type GroupInput = NonNullable<FixtureInput['groups']>[number]

function yamlOf(pulled: PulledProject): string {
  const { buckets, group, rows, slug, users } = pulled
  const template: GroupInput['template'] = {
    slug,
    migrations: 'migrations',
    migrate_tenants: true,
    ...(users.length === 0 ? {} : { users: users as GroupInput['template']['users'] }),
    ...(rows.length === 0
      ? {}
      : {
          rows: Object.fromEntries(rows.map(({ table }) => [table, rowsFile(table)])),
          fire_triggers: false,
        }),
    ...(buckets.length === 0 ? {} : { buckets: buckets as GroupInput['template']['buckets'] }),
  }
  const definition: FixtureInput = {
    title: group?.name ?? slug,
    groups: [
      {
        name: group?.name ?? slug,
        template,
        ...(group === undefined ? {} : { tenants: group.tenants as GroupInput['tenants'] }),
      },
    ],
  }
  return `# The application of the project ${slug}, made by "tenantry pull".\n${stringify(definition, { lineWidth: 120 })}`
}
