// Options that every command shares which speaks to a running emulator, and how it prints what it heard.
import { type Command, Option } from 'commander'
import { DEFAULT_PORT } from './commands/start.ts'
import { type RunningEmulator, reachEmulator } from './running-emulator.ts'

export interface RunningOptions {
  readonly url: string
  readonly adminToken: string | undefined
  readonly json: boolean
}

export function withRunningOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'where the emulator runs')
        .env('TENANTRY_AUTH_URL')
        .default(`http://127.0.0.1:${DEFAULT_PORT}`),
    )
    .option('--admin-token <token>', 'the one the emulator was started with, if it was')
    .option('--json', 'print what the emulator’s API answers', false)
}

export function emulatorOf({ url, adminToken }: RunningOptions): RunningEmulator {
  return reachEmulator(url, adminToken)
}

/** Prints what the API answered, or the same in words. */
export function printAnswer({ json }: RunningOptions, answer: unknown, words: string): void {
  process.stdout.write(`${json ? JSON.stringify(answer) : words}\n`)
}
