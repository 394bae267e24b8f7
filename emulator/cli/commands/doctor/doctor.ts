// `tenantry doctor`: says what would stop the emulator on this machine and in this folder. Exits with code 1 when it finds a
// problem.
import { Command } from 'commander'
import { DEFAULT_DATA_DIR } from '../../../assembly/run-file.ts'
import { withEngine } from '../../emulator-options.ts'
import { parsePort } from '../../parse-options.ts'
import { DEFAULT_PORT } from '../../running-options.ts'
import type { DoctorOptions } from './run-doctor.ts'

export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'say what is wrong with this machine and folder, and how to repair it',
  )
  return withEngine(command)
    .option('--data-dir <folder>', 'check this data folder', DEFAULT_DATA_DIR)
    .option('--port <number>', 'check this port; 0 checks none', parsePort, DEFAULT_PORT)
    .option('--host <address>', 'check the ports of this address', '127.0.0.1')
    .option(
      '--postgres-port <number>',
      'check this port for Postgres clients (default: the one after --port)',
      parsePort,
    )
    .option('--json', 'print the findings as one line of JSON', false)
    .addHelpText('after', '\nExit codes: 0 no problem, 1 a problem.')
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.ts')
      await runDoctor(options)
    })
}
