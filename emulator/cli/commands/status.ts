// `tenantry status`, `wait` and `stop`: find the emulator of another process through its data directory. Exit code 0: the
// emulator runs, or was stopped. Exit code 1: the command failed. Exit code 2: no emulator runs, or none was ready in time.
import { Command } from 'commander'
import { DEFAULT_DATA_DIR, findRunning } from '../../assembly/run-file.ts'
import { SystemClock } from '../../core/clock.ts'
import { type Holder, isAlive } from '../../database/data-dir/data-dir-lock.ts'
import { RunningEmulatorError, reachEmulator } from '../../platform/http-client/running-emulator.ts'
import { listRunning, requireNamed } from '../machine-list.ts'
import { parseProcess, parseSeconds } from '../parse-options.ts'
import { logPathOf } from '../run-file.ts'
import { answerClient, withAdminToken } from '../running-options.ts'
import { terminal } from '../terminal.ts'

const NOT_RUNNING_EXIT_CODE = 2
const POLL_MILLIS = 100
const DEFAULT_WAIT_SECONDS = 60
/** Wall-clock milliseconds that `stop` gives the emulator to write all data and exit. */
const STOP_MILLIS = 10_000

interface PlaceOptions {
  readonly dataDir: string
  readonly url: string | undefined
  readonly adminToken: string | undefined
  readonly json: boolean
}

/** What `status --json` prints. */
interface Status {
  readonly running: boolean
  readonly url: string | null
  readonly pid: number | null
  readonly version: string | null
  readonly data_dir: string | null
  readonly log: string | null
  /** The dashboard account that exists from the start. */
  readonly platform: { readonly email: string; readonly password: string } | null
  readonly tenants: readonly string[]
}

export function statusCommand(): Command {
  return placed(new Command('status'))
    .description('show whether an emulator runs, and its address')
    .action(async (options: PlaceOptions) => report(options, await statusOf(options)))
}

export function waitCommand(): Command {
  return placed(new Command('wait'))
    .description('wait until an emulator is ready')
    .option(
      '--timeout <seconds>',
      'give up after this many seconds',
      parseSeconds,
      DEFAULT_WAIT_SECONDS,
    )
    .action(async (options: PlaceOptions & { readonly timeout: number }) => {
      const clock = new SystemClock()
      const deadline = clock.now() + options.timeout * 1_000
      let status = await statusOf(options)
      while (!status.running && clock.now() < deadline) {
        pause()
        status = await statusOf(options)
      }
      report(options, status)
    })
}

export function stopCommand(): Command {
  return new Command('stop')
    .description('stop the emulator of a data directory, or another one of "tenantry list"')
    .option('--data-dir <folder>', 'stop the emulator of this data directory', DEFAULT_DATA_DIR)
    .option('--name <name>', 'stop the emulator that was started with this name (default: none)')
    .option(
      '--pid <number>',
      'stop the listed emulator with this process number (default: none)',
      parseProcess,
    )
    .option('--json', 'print one line of JSON', false)
    .action(({ dataDir, json, name, pid: wanted }: StopOptions) => {
      const running = findToStop({ dataDir, name, pid: wanted })
      if (running !== undefined) end(running)
      else terminal().exitCode = NOT_RUNNING_EXIT_CODE
      const pid = running?.pid ?? null
      const text = pid === null ? noneFound({ dataDir, pid: wanted }) : `Stopped process ${pid}.`
      print(json ? JSON.stringify({ stopped: pid !== null, pid }) : text)
    })
}

interface StopOptions extends Pick<PlaceOptions, 'dataDir' | 'json'> {
  readonly name: string | undefined
  readonly pid: number | undefined
}

// Returns only listed processes, so that a wrong process id cannot end another program.
function findToStop({ dataDir, name, pid }: Omit<StopOptions, 'json'>): Holder | undefined {
  if (name !== undefined) return requireNamed(name)
  if (pid !== undefined) return listRunning().find((listed) => listed.pid === pid)
  return findRunning(dataDir)
}

function noneFound({ dataDir, pid }: Pick<StopOptions, 'dataDir' | 'pid'>): string {
  return pid === undefined
    ? `No emulator runs on ${dataDir}.`
    : `No emulator with the process number ${pid} is listed. "tenantry list" shows all.`
}

function placed(command: Command): Command {
  return withAdminToken(
    command
      .option('--data-dir <folder>', 'find the emulator of this data directory', DEFAULT_DATA_DIR)
      .option('--url <url>', 'set the address of the emulator, instead of --data-dir'),
  )
    .option('--json', 'print one line of JSON', false)
    .addHelpText('after', '\nExit codes: 0 the emulator runs, 1 a failure, 2 it does not run.')
}

async function statusOf({ dataDir, url, adminToken }: PlaceOptions): Promise<Status> {
  const running = url === undefined ? findRunning(dataDir) : { url, pid: null }
  if (running === undefined) return STOPPED
  const emulator = reachEmulator(running.url, adminToken, answerClient())
  try {
    const { version } = await emulator.call('GET /health')
    const ready = await emulator.call('GET /info')
    return {
      running: true,
      url: new URL(running.url).origin,
      pid: running.pid,
      version,
      data_dir: ready.data_dir,
      log: running.pid === null ? null : logPathOf(dataDir),
      platform: { email: ready.platform.email, password: ready.platform.password },
      tenants: ready.groups.flatMap(({ tenants }) => tenants.map(({ slug }) => slug)),
    }
  } catch (error) {
    if (error instanceof RunningEmulatorError && error.code === 'not_running') return STOPPED
    throw error
  }
}

const STOPPED: Status = {
  running: false,
  url: null,
  pid: null,
  version: null,
  data_dir: null,
  log: null,
  platform: null,
  tenants: [],
}

function report(options: PlaceOptions, status: Status): void {
  if (!status.running) terminal().exitCode = NOT_RUNNING_EXIT_CODE
  print(options.json ? JSON.stringify(status) : sentenceOf(options, status))
}

function sentenceOf({ dataDir, url }: PlaceOptions, status: Status): string {
  if (!status.running)
    return url === undefined ? `No emulator runs on ${dataDir}.` : `No emulator answers at ${url}.`
  const who = status.pid === null ? '' : `, process ${status.pid}`
  const tenants =
    status.tenants.length === 0 ? 'no tenants' : `tenants: ${status.tenants.join(', ')}`
  const account =
    status.platform === null
      ? ''
      : `\nDashboard account: ${status.platform.email} / ${status.platform.password}`
  return `Tenantry ${status.version} runs at ${status.url}${who}; ${tenants}.${account}`
}

// Windows has no signals, so on Windows the emulator's process ends at once. No acknowledged change is lost, because the
// emulator writes each change to disk before it acknowledges the change.
function end(running: Holder): void {
  const clock = new SystemClock()
  const deadline = clock.now() + STOP_MILLIS
  process.kill(running.pid, 'SIGTERM')
  while (isAlive(running)) {
    if (clock.now() > deadline)
      throw new RunningEmulatorError(
        'refused',
        `Process ${running.pid} did not end within ${STOP_MILLIS / 1_000} seconds.`,
        'Run "tenantry stop" again, or end the process with your system’s tools.',
      )
    pause()
  }
}

// Blocks the thread, because a timer of the clock would not keep this process alive. The process has no other work.
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MILLIS)
}

function print(text: string): void {
  terminal().stdout.write(`${text}\n`)
}
