// `tenantry exec -- <command>`: an emulator for as long as one command runs, such as a test suite in CI.
import { Command, Option } from 'commander'
import { withDeterminism } from '../determinism.ts'
import type { ExecOptions } from '../exec/run-exec.ts'
import { withManagement } from '../management-options.ts'
import { parseCount, parsePort } from '../parse-options.ts'

const EXIT_CODES = `
Exit codes: the command's own; 128 and the signal's number when a signal ended it; 127 no such command, 126 it cannot be run;
125 the emulator could not be started or the fixture not be applied.

The command finds in its environment: TENANTRY_AUTH_URL, TENANTRY_DATA_URL, TENANTRY_DEV_EMAIL and TENANTRY_DEV_PASSWORD of
the dashboard account, of one tenant TENANTRY_PROJECT, TENANTRY_SCHEMA, TENANTRY_ANON_KEY, TENANTRY_SERVICE_ROLE_KEY, TENANTRY_POSTGRES_URL, of its group TENANTRY_GROUP_ID and TENANTRY_GROUP_API_KEY,
and everything there is, all tenants included, as JSON in TENANTRY_INFO. Standard output is the command's alone.`

export function execCommand(): Command {
  return withDeterminism(
    withManagement(
      new Command('exec')
        .description('run a command with an emulator of its own, in memory on a free port')
        .argument('<command...>', 'after "--", what to run')
        .passThroughOptions()
        .option(
          '--fixture <folder>',
          'bring it to the state of a fixture; "none" for none (default: the clinics demo)',
        )
        .option('--tenant <slug>', 'whose keys the environment has (default: the first tenant’s)')
        .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, 0)
        .option('--tail <number>', 'refused requests shown when the command fails', parseCount, 10)
        .option('--json', 'end with one line of JSON on standard error', false)
        .option('--report <file>', 'write that JSON to a file, whatever the outcome'),
    ),
  )
    .addOption(
      new Option('--log <level>', 'what to write about requests to standard error')
        .choices(['none', 'errors', 'requests', 'json'])
        .default('none'),
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (command: string[], options: ExecOptions) => {
      const { runExec } = await import('../exec/run-exec.ts')
      process.exitCode = await runExec(command, options)
    })
}
