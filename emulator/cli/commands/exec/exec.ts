// `tenantry exec -- <command>`: runs an emulator during one command, such as a test suite in CI.
import { Command } from 'commander'
import { withEmulatorOptions } from '../../emulator-options.ts'
import { parseCount, parsePort } from '../../parse-options.ts'
import { terminal } from '../../terminal.ts'
import type { ExecOptions } from './run-exec.ts'

const EXIT_CODES = `
Exit codes: the command's own; 128 plus the signal's number when a signal ended it; 127 the command does not exist, 126 it cannot
be run; 125 the emulator could not start or the fixture could not be applied.

The command's environment: TENANTRY_AUTH_URL, TENANTRY_DATA_URL; TENANTRY_DEV_EMAIL and TENANTRY_DEV_PASSWORD of the dashboard
account; TENANTRY_PROJECT, TENANTRY_SCHEMA, TENANTRY_ANON_KEY, TENANTRY_SERVICE_ROLE_KEY and TENANTRY_POSTGRES_URL of one tenant;
TENANTRY_GROUP_ID and TENANTRY_GROUP_API_KEY of its group; TENANTRY_INFO with all addresses and keys as JSON. Only the command writes
to standard output.`

export function execCommand(): Command {
  const command = new Command('exec')
    .description('run a command with its own emulator, in memory on a free port')
    .argument('<command...>', 'command to run, after "--"')
    .passThroughOptions()
    .option('--tenant <slug>', 'give the keys of this tenant (default: the first tenant)')
    .option('--port <number>', 'listen on this port; 0 takes a free one', parsePort, 0)
    .option(
      '--tail <number>',
      'show this many refused requests when the command fails',
      parseCount,
      10,
    )
    .option('--history', 'record the changes of rows', false)
    .option('--json', 'end with one line of JSON on standard error', false)
    .option('--report <file>', 'write that JSON to this file for every outcome (default: no file)')
  return withEmulatorOptions(command, 'none')
    .addHelpText('after', EXIT_CODES)
    .action(async (command: string[], options: ExecOptions) => {
      const { runExec } = await import('./run-exec.ts')
      terminal().exitCode = await runExec(command, options)
    })
}
