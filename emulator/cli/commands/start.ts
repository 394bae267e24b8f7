// `tenantry start`: the emulator in the foreground, until Ctrl-C.
import { Command, InvalidArgumentError, Option } from 'commander'
import { ConfigError, type EmulatorConfig } from '../../config.ts'
import { SystemClock } from '../../core/clock.ts'
import { packageFile } from '../../core/package-files.ts'
import { createEmulator, type Emulator } from '../../emulator.ts'
import { isLoopback } from '../../inspector/guard.ts'
import { greeting, type LogLevel, logLine } from '../report.ts'

interface StartOptions {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly memory: boolean
  readonly fixture: string | undefined
  readonly publicUrl: string | undefined
  readonly adminToken: string | undefined
  readonly deterministic: boolean
  readonly json: boolean
  readonly log: LogLevel
}

/** Where an emulator listens unless told otherwise. */
export const DEFAULT_PORT = 7357
const DEMO_FIXTURE = packageFile('fixtures/clinics')
const DETERMINISTIC_SEED = 'tenantry'
/** Wall milliseconds after a signal until the process ends whatever is still open. */
const LAST_RESORT_MILLIS = 1_800

export function startCommand(): Command {
  return new Command('start')
    .description('start the emulator and keep it running until Ctrl-C')
    .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, DEFAULT_PORT)
    .option(
      '--host <address>',
      'address to listen on; beyond this machine only with --admin-token',
      '127.0.0.1',
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
      'opens the emulator’s own API beyond this machine to who carries it',
    )
    .option('--deterministic', 'the same identifiers and keys at every start, for tests', false)
    .option('--json', 'print one JSON line with addresses and keys when ready', false)
    .addOption(
      new Option('--log <level>', 'what to write about requests to standard error')
        .choices(['none', 'errors', 'requests', 'json'])
        .default('errors'),
    )
    .action((options: StartOptions) => run(options))
}

async function run(options: StartOptions): Promise<void> {
  if (!isLoopback(options.host) && options.adminToken === undefined)
    throw new ConfigError(
      `Listening on ${options.host} opens the emulator to other machines: give --admin-token as well.`,
    )
  const wallClock = new SystemClock()
  const startedAt = wallClock.now()
  const emulator = await createEmulator(configOf(options), [
    (observation) => {
      const line = logLine(observation, options.log)
      if (line !== undefined) process.stderr.write(`${line}\n`)
    },
  ])
  stopOnSignals(emulator, wallClock)
  try {
    await open(emulator, options, () => wallClock.now() - startedAt)
  } catch (error) {
    await emulator.close()
    throw error
  }
}

async function open(
  emulator: Emulator,
  options: StartOptions,
  elapsedMillis: () => number,
): Promise<void> {
  const { port } = await emulator.listen({
    port: options.port,
    host: options.host,
    ownsProcess: true,
  })
  if (options.fixture !== 'none') await emulator.applyFixture(options.fixture ?? DEMO_FIXTURE)
  const ready = await emulator.ready(`http://${hostInUrl(options.host)}:${port}`)
  process.stdout.write(
    options.json ? `${JSON.stringify(ready)}\n` : greeting(ready, elapsedMillis()),
  )
}

function configOf(options: StartOptions): EmulatorConfig {
  return {
    ...(options.memory ? {} : { dataDir: options.dataDir }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...(options.adminToken === undefined ? {} : { adminToken: options.adminToken }),
    ...(options.deterministic ? { deterministicSeed: DETERMINISTIC_SEED } : {}),
  }
}

// The first signal closes cleanly; a second one, or a close that takes too long, ends the process.
function stopOnSignals(emulator: Emulator, wallClock: SystemClock): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      wallClock.after(LAST_RESORT_MILLIS, () => process.exit(1))
      emulator.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`tenantry: closing failed: ${String(error)}\n`)
          process.exit(1)
        },
      )
    })
}

// A wildcard is no address to call.
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}
