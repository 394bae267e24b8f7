// `tenantry sql`: runs SQL in a tenant's schema of a running emulator, as the owner or as an identity. Exit code 1: Postgres refused
// the SQL, and nothing was changed.
import { type Command, Option } from 'commander'
import { identityNamed } from '../../../contract/identities.ts'
import { firstTenant } from '../../first-tenant.ts'
import {
  emulatorOf,
  printAnswer,
  type RunningOptions,
  runningCommand,
} from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { answerLines, noticeLines, refusalLine } from './sql-report.ts'

interface SqlOptions extends RunningOptions {
  readonly tenant: string | undefined
  readonly as: string
  readonly write: boolean
  readonly at: string | undefined
}

export function sqlCommand(): Command {
  return runningCommand('sql', 'run SQL in a tenant’s schema, as the owner or as an identity')
    .argument('<statement>', 'one or more statements, which run in one transaction')
    .option(
      '--tenant <slug>',
      'name the project: slug, schema name or id (default: the first tenant)',
    )
    .option(
      '--as <identity>',
      'run as this identity: owner, anon, service_role, a user’s e-mail address or id, or request:<id>',
      'owner',
    )
    .option('--write', 'keep changes. Without it, Postgres refuses writes', false)
    .addOption(
      new Option(
        '--at <instant>',
        'read the rows as they were: just before a request (its id) or a change (its sequence), or at a time such as 2026-01-31T09:00:00Z',
      ).conflicts('write'),
    )
    .addHelpText(
      'after',
      '\nThe owner sees all rows, and policies apply to every other identity. At most 1,000 rows are printed.',
    )
    .action(run)
}

async function run(statement: string, options: SqlOptions): Promise<void> {
  const emulator = emulatorOf(options)
  const ref = options.tenant ?? (await firstTenant(emulator, '--tenant'))
  const answer = await emulator.call('POST /projects/:ref/sql', {
    params: { ref },
    body: {
      sql: statement,
      identity: options.as === 'owner' ? 'owner' : identityNamed(options.as),
      mode: options.write ? 'run' : 'read_only',
      ...(options.at === undefined ? {} : { at: options.at }),
    },
  })
  const { stderr } = terminal()
  if (answer.error === null || options.json) printAnswer(options, answer, answerLines(answer))
  if (!options.json) for (const line of noticeLines(answer)) stderr.write(`${line}\n`)
  if (answer.error === null) return
  if (!options.json) stderr.write(`tenantry: ${refusalLine(answer.error, statement)}\n`)
  terminal().exitCode = 1
}
