// `tenantry compare <file>`: replays a recording against an emulator, and says where the answers differ.
import { Command } from 'commander'
import { withEmulatorOptions } from '../../emulator-options.ts'
import { withAdminToken } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import type { CompareOptions } from './run-compare.ts'

const EXIT_CODES = `
Exit codes: 0 every answer agrees, 1 differences or a failure.

Without --url, the command runs an emulator of its own in memory, whose platform time follows the recording. With --url, the
recording changes the data of that emulator.`

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('replay a recording against the emulator, and list where the answers differ')
    .argument('<file>', 'recording of "tenantry record"')
    .option('--url <url>', 'set the address of a running emulator (default: one of its own)')
    .option('--json', 'print the score and the differences as JSON', false)
    .option('--junit <file>', 'write the result to this file as JUnit XML (default: no file)')
  return withEmulatorOptions(withAdminToken(command), 'none')
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, options: CompareOptions) => {
      const { runCompare } = await import('./run-compare.ts')
      terminal().exitCode = await runCompare(file, options)
    })
}
