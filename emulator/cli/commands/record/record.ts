// `tenantry record -- <command>`: records what an application exchanges with the hosted platform, while a command runs.
import { Command } from 'commander'
import { parseMegabytes, parseNames, parsePort } from '../../parse-options.ts'
import { withTargetOptions } from '../../target-options.ts'
import { terminal } from '../../terminal.ts'
import type { RecordOptions } from './run-record.ts'

const NOTES = `
Exit codes: the command's own; 128 plus the signal's number when a signal ended it; 127 the command does not exist, 126 it cannot
be run; 125 the recording could not start.

The command's environment: TENANTRY_AUTH_URL and TENANTRY_DATA_URL with the address of the proxy, and the variables of --env.
Every variable with an address of the target gets the address of the proxy instead.

Credentials, cookies, passwords and codes are masked. Bodies in which they cannot be found are left out. "tenantry compare" replays it.`

export function recordCommand(): Command {
  const command = new Command('record')
    .description('record what an application exchanges with the hosted platform, as HAR')
    .argument('<command...>', 'command to run, after "--"')
    .passThroughOptions()
  const tokenEndpoint = 'the one that the token endpoint names'
  return withTargetOptions(command, { storage: tokenEndpoint, realtime: tokenEndpoint })
    .option('--out <file>', 'write the recording to this file', 'traffic.har')
    .option('--env <file>', 'give the command the variables of this file (default: none)')
    .option(
      '--mask <names>',
      'mask these members and headers, too; separated by commas (default: none)',
      parseNames,
    )
    .option(
      '--keep-opaque-bodies',
      'keep bodies and frames in which secrets cannot be found (default: only size and hash)',
    )
    .option('--max-body <megabytes>', 'keep this much of each body (default: 1)', parseMegabytes)
    .option('--port <number>', 'listen on this port; 0 takes a free one', parsePort, 0)
    .addHelpText('after', NOTES)
    .action(async (command: string[], options: RecordOptions) => {
      const { runRecord } = await import('./run-record.ts')
      terminal().exitCode = await runRecord(command, options)
    })
}
