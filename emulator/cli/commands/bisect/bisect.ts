// `tenantry bisect -- <command>`: finds the first change of rows after which a command fails.
import type { Command } from 'commander'
import { runningCommand } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import type { BisectOptions } from './run-bisect.ts'

const EXIT_CODES = `
The command runs on earlier and earlier states of the tenant's rows. After each run, the present state is restored, with all its
files and users. Requests that an application sends meanwhile are lost.

Exit codes: 0 the transaction was found; 1 it was not, because the command passes now, or fails on the oldest state, too.`

export function bisectCommand(): Command {
  return runningCommand('bisect', 'find the first change of rows after which a command fails')
    .argument('<command...>', 'command to run, after "--"; it fails with any exit code but 0')
    .passThroughOptions()
    .option(
      '--tenant <slug>',
      'name the project: slug, schema name or id (default: the first tenant)',
    )
    .option(
      '--since <instant>',
      'search only later changes: after a request (its id), a change (its sequence) or a time (default: all)',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (command: string[], options: BisectOptions) => {
      const { runBisect } = await import('./run-bisect.ts')
      terminal().exitCode = await runBisect(command, options)
    })
}
