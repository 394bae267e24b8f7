// Options of the commands that call a running emulator, and printing of its responses.
import { Command, Option } from 'commander'
import { DEFAULT_DATA_DIR, findRunning } from '../assembly/run-file.ts'
import { SystemClock } from '../core/clock.ts'
import { boundsOf } from '../platform/http-client/answer-bounds.ts'
import { createHttpClient, type HttpClient } from '../platform/http-client/http-client.ts'
import { type RunningEmulator, reachEmulator } from '../platform/http-client/running-emulator.ts'
import { requireNamed } from './machine-list.ts'
import { terminal } from './terminal.ts'

/** The emulator's port when `--port` is not given. */
export const DEFAULT_PORT = 7357

/** Environment variable for the token, which the system's list of processes would show as an option. */
export const ADMIN_TOKEN_VARIABLE = 'TENANTRY_ADMIN_TOKEN'

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`

export interface EmulatorAddress {
  readonly url: string
  readonly adminToken: string | undefined
}

export interface RunningOptions extends EmulatorAddress {
  readonly json: boolean
}

/** Adds `--url` and `--admin-token`. Without an address, the command calls the emulator that runs in this folder. */
export function withAddress(command: Command): Command {
  return withAddressOptions(command).hook('preAction', (_, action) => {
    action.setOptionValue('url', addressNow(action))
  })
}

/** Adds the same options as `withAddress`, for a command that finds the address itself with `addressNow`. */
export function withAddressOptions(command: Command): Command {
  return withAdminToken(
    command
      .addOption(
        new Option('--url <url>', 'set the address of the emulator')
          .env('TENANTRY_AUTH_URL')
          .default(DEFAULT_URL, `the emulator of this folder, else ${DEFAULT_URL}`),
      )
      .option('--name <name>', 'call the emulator that was started with this name (default: none)'),
  )
}

/** Returns the address of the emulator that the options name at this moment. @throws {MachineListError} */
export function addressNow(command: Command): string {
  const { name, url } = command.opts<{ readonly name?: string; readonly url: string }>()
  if (name !== undefined) return requireNamed(name).url
  if (command.getOptionValueSource('url') !== 'default') return url
  const running = findRunning(DEFAULT_DATA_DIR)?.url
  return running === undefined ? url : new URL(running).origin
}

/**
 * Returns a space and the option with which a suggested command calls the same emulator. Returns an empty text when the command
 * finds the emulator without an option: by the folder, or by the environment of `tenantry exec`.
 */
export function urlOption({ url }: Pick<EmulatorAddress, 'url'>): string {
  const known = process.env['TENANTRY_AUTH_URL'] ?? findRunning(DEFAULT_DATA_DIR)?.url
  const found = URL.canParse(known ?? '') ? new URL(known ?? '').origin : DEFAULT_URL
  return URL.canParse(url) && new URL(url).origin === found ? '' : ` --url ${url}`
}

export function withAdminToken(command: Command): Command {
  return command.addOption(
    new Option(
      '--admin-token <token>',
      'send this token, for an emulator that was started with one (default: none)',
    ).env(ADMIN_TOKEN_VARIABLE),
  )
}

/** Creates a command that calls a running emulator, with `--url`, `--admin-token` and `--json`. */
export function runningCommand(name: string, description: string): Command {
  return withAddress(new Command(name))
    .option('--json', 'print the answer of the emulator’s API', false)
    .description(description)
}

export function emulatorOf({ adminToken, url }: EmulatorAddress): RunningEmulator {
  return reachEmulator(url, adminToken, answerClient())
}

/**
 * Creates the HTTP client of the commands, with the limits that environment variables set.
 * @throws {AnswerError} for an invalid variable
 */
export function answerClient(): HttpClient {
  return createHttpClient({ wallClock: new SystemClock(), bounds: boundsOf(process.env) })
}

/** Prints a response of the API: as JSON with `--json`, otherwise as `words`. */
export function printAnswer({ json }: RunningOptions, answer: unknown, words: string): void {
  terminal().stdout.write(`${json ? JSON.stringify(answer) : words}\n`)
}
