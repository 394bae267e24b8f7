// `tenantry start`: the emulator in the foreground, until Ctrl-C.
import { Command, Option } from 'commander'
import { withDeterminism } from '../determinism.ts'
import { withManagement } from '../management-options.ts'
import { parseMegabytes, parsePort, parseSeconds } from '../parse-options.ts'
import type { StartOptions } from '../run-emulator.ts'

/** Where an emulator listens unless told otherwise. */
export const DEFAULT_PORT = 7357

export function startCommand(): Command {
  const command = new Command('start')
    .description('start the emulator and keep it running until Ctrl-C')
    .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, DEFAULT_PORT)
    .option(
      '--host <address>',
      'address to listen on; beyond this machine only with --admin-token',
      '127.0.0.1',
    )
    .option(
      '--postgres-port <number>',
      'port for psql and other Postgres clients; 0 takes a free one, "none" opens none (default: the one after --port)',
      parsePostgresPort,
    )
    .option('--data-dir <folder>', 'where everything is kept', '.tenantry')
    .option('--memory', 'keep everything in memory; nothing is left when it stops', false)
    .option(
      '--fixture <folder>',
      'bring it to the state of a fixture; "none" for none (default: the clinics demo)',
    )
    .option(
      '--public-url <url>',
      'address under which callers reach it, for the addresses in answers',
    )
    .option(
      '--admin-token <token>',
      'open /_emulator and the dashboard account beyond this machine to callers that send it',
    )
    .option(
      '--max-blocking <seconds>',
      'cancels a statement that other work has waited for this long (default: 10)',
      parseSeconds,
    )
    .option(
      '--max-queue <seconds>',
      'refuses work that has waited for the database this long (default: 30)',
      parseSeconds,
    )
    .option(
      '--engine-memory <megabytes>',
      'memory the database may use, 256 to 2048; a statement beyond it fails (default: 768)',
      Number,
    )
    .option(
      '--max-body <megabytes>',
      'refuse larger bodies of data-plane requests with 413 (default: 10)',
      parseMegabytes,
    )
    .option(
      '--max-result <megabytes>',
      'refuse larger results of the data plane and of db/exec (default: 64)',
      parseMegabytes,
    )
  return withDeterminism(withManagement(command))
    .option('--detach', 'return when it is ready; "tenantry stop" ends it', false)
    .option('--json', 'print one JSON line with addresses and keys when ready', false)
    .addOption(
      new Option('--log <level>', 'what to write about requests to standard error')
        .choices(['none', 'errors', 'requests', 'json'])
        .default('errors'),
    )
    .action(async (options: StartOptions) => {
      if (options.detach) {
        const { startDetached } = await import('../start-detached.ts')
        return startDetached(options)
      }
      const { runEmulator } = await import('../run-emulator.ts')
      await runEmulator(options)
    })
}

function parsePostgresPort(text: string): number | 'none' {
  return text === 'none' ? text : parsePort(text)
}
