// `tenantry open <file>`: opens a bundle in a new emulator, beside other running emulators.
import { Command } from 'commander'
import { parsePort } from '../../parse-options.ts'
import type { OpenOptions } from './run-open.ts'

const WHERE = `
The emulator has its own port and a temporary folder, which is removed at the end. The file does not change.

Exit codes of --replay: 0 the status is the recorded one, 1 another status or a failure.`

export function openCommand(): Command {
  return new Command('open')
    .description('open a bundle in an emulator of its own, at the request that failed')
    .argument('<file>', 'file of "tenantry bundle"')
    .option('--port <number>', 'listen on this port; 0 takes a free one', parsePort, 0)
    .option('--replay', 'send the request again, print its status, and end', false)
    .option('--json', 'print one JSON line when ready', false)
    .addHelpText('after', WHERE)
    .action(async (file: string, options: OpenOptions) => {
      const { runOpen } = await import('./run-open.ts')
      await runOpen(file, options)
    })
}
