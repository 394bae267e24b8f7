// `tenantry audit`: counts the rows that each identity sees in each tenant of a running emulator, and finds unintended access.
// Exit code 1: an open finding at the level of --fail-on, or an identity of one tenant that reached a row of another tenant.
// With --contract, the command instead compares the contract with what anon and a new user reach.
import { type Command, Option } from 'commander'
import { parseUsers } from '../../parse-options.ts'
import { runningCommand } from '../../running-options.ts'
import type { AuditOptions, FailLevel } from './run-audit.ts'

const FAIL_LEVELS: readonly FailLevel[] = ['error', 'warning', 'never']

/** Options of an audit without a contract. */
const PICTURE_OPTIONS: readonly string[] = ['users', 'failOn', 'baseline', 'writeBaseline']

const EXIT_CODES = `
Exit codes: 0 no open finding at the level of --fail-on, 1 findings or a failure. With --contract: 0 nothing widened, 1
something widened or a failure.

Accept a finding with a line in the comment of its policy, table, view or function:
  comment on policy everyone_reads on news is 'tenantry: allow policy-always-true news are public';`

export function auditCommand(): Command {
  return runningCommand(
    'audit',
    'count what every identity sees in every table of the tenants, and find what is open too far',
  )
    .option('--tenant <slug...>', 'audit these tenants (default: all tenants)')
    .option('--users <number>', 'ask as at most this many users of each tenant', parseUsers, 20)
    .addOption(
      new Option('--fail-on <level>', 'end with exit code 1 for open findings of this level')
        .choices(FAIL_LEVELS)
        .default('error'),
    )
    .option(
      '--baseline <file>',
      'report identities that see other rows than in this file (default: no file)',
    )
    .option('--write-baseline <file>', 'write what identities see to this file (default: no file)')
    .addOption(
      new Option(
        '--contract <file>',
        'report only what anon and a new user reach beyond this contract (default: no file)',
      ).conflicts([...PICTURE_OPTIONS, 'acceptContract']),
    )
    .addOption(
      new Option(
        '--accept-contract <file>',
        'write what anon and a new user reach to this contract, and print what changed (default: no file)',
      ).conflicts([...PICTURE_OPTIONS]),
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (options: AuditOptions) => {
      const { acceptContract, contract } = options
      if (contract === undefined && acceptContract === undefined) {
        const { runAudit } = await import('./run-audit.ts')
        return runAudit(options)
      }
      const { checkContract, writeContract } = await import('./run-contract.ts')
      if (contract !== undefined) return checkContract(options, contract)
      if (acceptContract !== undefined) return writeContract(options, acceptContract)
    })
}
