// `tenantry start`: runs the emulator in the foreground until Ctrl-C.
import { Command, Option } from 'commander'
import { DEFAULT_DATA_DIR } from '../../../assembly/run-file.ts'
import { withEmulatorOptions } from '../../emulator-options.ts'
import {
  parseCount,
  parseEngineMemory,
  parseHistorySize,
  parseMegabytes,
  parsePort,
  parseSeconds,
} from '../../parse-options.ts'
import { ADMIN_TOKEN_VARIABLE, DEFAULT_PORT } from '../../running-options.ts'
import type { StartOptions } from './run-emulator.ts'

export function startCommand(): Command {
  const command = new Command('start').description('start the emulator and run it until Ctrl-C')
  return withStartOptions(command)
    .option('--detach', 'return when the emulator is ready; "tenantry stop" stops it', false)
    .option('--json', 'print one JSON line with addresses and keys when ready', false)
    .action(async (options: StartOptions) => {
      if (options.detach) {
        const { startDetached } = await import('./start-detached.ts')
        return startDetached(options)
      }
      const { runEmulator } = await import('./run-emulator.ts')
      await runEmulator(options)
    })
}

/** Adds the options that `start` and `dev` share. */
export function withStartOptions(command: Command): Command {
  return withEmulatorOptions(withHistory(withLimits(withAddresses(command))), 'refusals')
    .option('--data-dir <folder>', 'keep all data in this folder', DEFAULT_DATA_DIR)
    .addOption(
      new Option(
        '--trust-data-dir',
        'also open a data directory that another account owns, such as a volume of a container',
      ).env('TENANTRY_TRUST_DATA_DIR'),
    )
    .option('--memory', 'keep all data in memory until the emulator stops', false)
}

function withAddresses(command: Command): Command {
  return command
    .option(
      '--port <number>',
      'listen on this port; 0 takes a free one, "auto" one that follows from the folder',
      parsePortOrAuto,
      DEFAULT_PORT,
    )
    .option(
      '--host <address>',
      'listen on this address; other machines also need --admin-token',
      '127.0.0.1',
    )
    .option(
      '--postgres-port <number>',
      'listen on this port for Postgres clients; 0 takes a free one, "none" opens none (default: the one after --port, and the kept one of a native server)',
      parsePostgresPort,
    )
    .option(
      '--public-url <url>',
      'use this address in answers, for callers behind a proxy (default: the address of the request)',
    )
    .addOption(
      new Option(
        '--admin-token <token>',
        'admit other machines with this token to /_emulator and the dashboard account (default: this machine only)',
      ).env(ADMIN_TOKEN_VARIABLE),
    )
}

function withLimits(command: Command): Command {
  return command
    .option(
      '--max-blocking <seconds>',
      'cancel a statement that other work has waited for this long (default: 10)',
      parseSeconds,
    )
    .option(
      '--max-queue <seconds>',
      'refuse work that has waited for the database this long (default: 30)',
      parseSeconds,
    )
    .option(
      '--engine-memory <megabytes>',
      'limit the memory of the database, 256 to 2048; a statement beyond it fails (default: 768)',
      parseEngineMemory,
    )
    .option(
      '--client-connections <number>',
      'on a server, admit this many connections of Postgres clients to each project (default: 25)',
      parseCount,
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
}

function withHistory(command: Command): Command {
  return command
    .option('--no-history', 'do not record the changes of rows')
    .option(
      '--history-size <megabytes>',
      'keep at most this much of the changes of rows, 2 or more (default: 256)',
      parseHistorySize,
    )
    .option(
      '--history-days <number>',
      'forget changes of rows after this many days (default: 7)',
      parseCount,
    )
}

function parsePortOrAuto(text: string): number | 'auto' {
  return text === 'auto' ? text : parsePort(text)
}

function parsePostgresPort(text: string): number | 'none' {
  return text === 'none' ? text : parsePort(text)
}
