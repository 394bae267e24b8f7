// `tenantry bundle`: packs a running emulator's state and last requests into one file for another person.
import { Command } from 'commander'
import { withAddress } from '../../running-options.ts'
import type { BundleOptions } from './write-bundle.ts'

const CONTENTS = `
The file contains the platform's state, clock, seed, armed faults, the last requests with their bodies, and versions. Passwords
and credentials in requests are masked. The state contains the emulator's keys, users and files: --without-state leaves it out.

"tenantry open <file>" opens the file.`

export function bundleCommand(): Command {
  return withAddress(new Command('bundle'))
    .description('pack state and last requests into one file for another person')
    .option('--out <file>', 'write this file (default: tenantry-<time>.tenantry)')
    .option('--note <text>', 'say what is wrong (default: no note)')
    .option('--request <id>', 'open the file at this request (default: the newest refused one)')
    .option('--without-state', 'leave out the state, which contains keys', false)
    .option('--json', 'print what the file contains as JSON', false)
    .addHelpText('after', CONTENTS)
    .action(async (options: BundleOptions) => {
      const { writeBundle } = await import('./write-bundle.ts')
      await writeBundle(options)
    })
}
