// `tenantry logs`: prints the requests of a running emulator as they are answered, and the reason of each refusal.
import { Command, InvalidArgumentError } from 'commander'
import { withAddress } from '../../running-options.ts'
import type { LogsOptions } from './run-logs.ts'
import type { StatusRange } from './select-requests.ts'

export function logsCommand(): Command {
  return withAddress(new Command('logs'))
    .description('print the requests of a running emulator as they are answered')
    .option('--refused', 'select requests that were refused or failed', false)
    .option('--tenant <slug>', 'select requests of this tenant (default: all)')
    .option('--path <text>', 'select requests with this text in path or query (default: all)')
    .option(
      '--status <status>',
      'select a status, or a class such as 4xx (default: all)',
      parseStatus,
    )
    .option(
      '--identity <name>',
      'select requests of this e-mail address, user id or role (default: all)',
    )
    .option('--json', 'print a line of JSON for each request', false)
    .option(
      '--last <number>',
      'begin with this many of the newest selected requests',
      parseLast,
      10,
    )
    .option('--no-follow', 'end after these requests (default: go on until Ctrl-C)')
    .action(async (options: LogsOptions) => {
      const { runLogs } = await import('./run-logs.ts')
      await runLogs(options)
    })
}

function parseStatus(text: string): StatusRange {
  if (!/^[1-5](xx|\d\d)$/.test(text))
    throw new InvalidArgumentError('Write a status such as 404, or a class such as 4xx.')
  const from = Number(text.replace('xx', '00'))
  return { from, to: text.endsWith('xx') ? from + 99 : from }
}

function parseLast(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > 1_000)
    throw new InvalidArgumentError('Write a number from 0 to 1000.')
  return count
}
