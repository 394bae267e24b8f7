// Runs the main process of a native server, and ends it when the emulator ends, even by kill -9.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../../../core/clock.ts'
import { ServerError } from '../running-server.ts'
import { serverEnvironment } from './create-cluster.ts'
import type { NativeServer } from './find-native-server.ts'
import type { ServerAccount } from './server-account.ts'
import type { ServerLog } from './server-log.ts'

export interface ServerCommand {
  readonly server: NativeServer
  readonly cluster: string
  /** Arguments of `postgres`. */
  readonly args: readonly string[]
  readonly account: ServerAccount | undefined
}

export interface ServerProcess {
  readonly pid: number
  /** Resolves with the reason when the process ends. */
  readonly ended: Promise<string>
  /** Ends the server: clients are disconnected and everything is written. */
  stop(): Promise<void>
}

export interface ServerProcessContext {
  readonly log: ServerLog
  readonly wallClock: Clock
}

const POLL_MILLIS = 3
/** Recovery after a kill reads the WAL since the last checkpoint, 256 MB at most. */
const READY_WITHIN_MILLIS = 60_000
const FAST_STOP_MILLIS = 10_000
const WATCH = 3

// The shell becomes the server (`exec`), so that the child's id is the server's. Before that, the shell starts a watching process
// that waits for a line on descriptor 3. When the emulator ends without sending that line, the watching process stops the server.
// It first compares the id with the server's id file, because another process may have got the same id by then. The file is
// missing when the emulator removed its temporary folder.
const STOP = `if [ -e "$0" ]; then read -r pid <"$0"; [ "$pid" = $$ ] && kill -INT $$; else kill -QUIT $$; fi`
const WATCHED = `( ( read -r line <&${WATCH} || { ${STOP}; } ) & ) 2>/dev/null
exec "$@" ${WATCH}<&-`

/**
 * Starts the server and waits until it accepts connections.
 * @throws {ServerError} server_not_started with the end of the server's log
 */
export async function startServerProcess(
  command: ServerCommand,
  { log, wallClock }: ServerProcessContext,
): Promise<ServerProcess> {
  log.begin()
  const child = launch(command)
  child.stderr?.on('data', (bytes: Buffer) => log.append(bytes))
  let reason: string | undefined
  const ended = new Promise<string>((resolve) => {
    const end = (why: string): void => {
      reason = why
      release(child)
      resolve(why)
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) =>
      end(signal === null ? `it exited with code ${code}` : `signal ${signal}`),
    )
  })
  const deadline = wallClock.now() + READY_WITHIN_MILLIS
  while (reason === undefined) {
    const postmaster = readPostmaster(command.cluster)
    if (postmaster?.isReady === true && postmaster.pid === child.pid) {
      unref(child)
      return {
        pid: postmaster.pid,
        ended,
        stop: () => stop(child, command.server, ended, wallClock),
      }
    }
    if (wallClock.now() > deadline) {
      child.kill('SIGKILL')
      reason = `it was not ready within ${READY_WITHIN_MILLIS / 1_000} s`
    }
    await pause(wallClock)
  }
  throw new ServerError('server_not_started', `PostgreSQL did not start: ${reason}.`, {
    hint: `The end of its log, ${log.path}:\n${log.lastLines(5)}`,
  })
}

/**
 * Stops a server that an earlier emulator left behind.
 * @throws {ServerError} server_not_started when it does not end
 */
export async function stopLeftover(cluster: string, wallClock: Clock): Promise<void> {
  const pid = findLeftover(cluster)
  if (pid === undefined) return
  await endProcess(pid, cluster, wallClock)
}

async function endProcess(pid: number, cluster: string, wallClock: Clock): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalProcess(pid, signal)
    const deadline = wallClock.now() + FAST_STOP_MILLIS
    while (isRunning(pid) && wallClock.now() < deadline) await pause(wallClock)
    if (!isRunning(pid)) return
  }
  throw new ServerError(
    'server_not_started',
    `Another PostgreSQL server, process ${pid}, still runs on ${cluster} and does not end.`,
    { hint: `End it with "kill -9 ${pid}" and start again.` },
  )
}

function launch({ server, cluster, args, account }: ServerCommand): ChildProcess {
  const isWindows = process.platform === 'win32'
  const [program, ...rest] = isWindows
    ? [server.postgres, ...args]
    : ['/bin/sh', '-c', WATCHED, postmasterPath(cluster), server.postgres, ...args]
  const child = spawn(program ?? server.postgres, rest, {
    cwd: cluster,
    env: serverEnvironment(server),
    stdio: ['ignore', 'ignore', 'pipe', ...(isWindows ? [] : (['pipe'] as const))],
    // Ctrl-C in the terminal must reach the emulator only, which finishes its work and then stops the server. On Windows a
    // child that is not detached ends together with the emulator.
    ...(isWindows ? {} : { detached: true }),
    windowsHide: true,
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  })
  // Ignores write errors: a server that ends before the emulator closes its end of the pipe.
  child.stdio[WATCH]?.on('error', () => {})
  return child
}

// Does not keep a program alive that ends without closing its emulator. The watching process then stops the server.
function unref(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stderr, child.stdio[WATCH]])
    if (stream instanceof Socket) stream.unref()
}

// Informs the watching process that the server has ended, so that it stops nothing.
function release(child: ChildProcess): void {
  const watch = child.stdio[WATCH]
  if (watch instanceof Socket && watch.writable) watch.end('\n')
}

async function stop(
  child: ChildProcess,
  server: NativeServer,
  ended: Promise<string>,
  wallClock: Clock,
): Promise<void> {
  child.ref()
  if (process.platform === 'win32')
    execFileSync(server.controlProgram, ['kill', 'INT', String(child.pid)], { stdio: 'ignore' })
  else child.kill('SIGINT')
  const cancel = wallClock.after(FAST_STOP_MILLIS, () => child.kill('SIGQUIT'))
  await ended
  cancel()
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}

function pause(wallClock: Clock): Promise<void> {
  return new Promise((resolve) => {
    wallClock.after(POLL_MILLIS, resolve)
  })
}

// The file `postmaster.pid` in which PostgreSQL's main process states its id and whether it accepts connections.
interface Postmaster {
  readonly pid: number
  readonly isReady: boolean
}

/** Lines of the file (PostgreSQL's source, src/include/utils/pidfile.h). */
const PID_LINE = 0
const STATUS_LINE = 7

function postmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** Returns what the file says, even when its process has ended. */
function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(postmasterPath(cluster), 'utf8').split('\n')
    const pid = Number.parseInt(lines[PID_LINE] ?? '', 10)
    return Number.isInteger(pid)
      ? { pid, isReady: lines[STATUS_LINE]?.trim() === 'ready' }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the id of a server that still runs on this cluster, such as after the emulator was killed. When the id belongs to
 * another program meanwhile, the file is removed, because PostgreSQL would not start beside it.
 */
function findLeftover(cluster: string): number | undefined {
  const pid = readPostmaster(cluster)?.pid
  if (pid === undefined || !isRunning(pid)) return undefined
  const command = commandOf(pid)
  if (command === undefined || command.includes(cluster)) return pid
  rmSync(postmasterPath(cluster), { force: true })
  return undefined
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// Systems without /proc have `ps`. Windows has neither; there the server ends together with the emulator.
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    try {
      return execFileSync('ps', ['-p', String(pid), '-o', 'args='], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch {
      return undefined
    }
  }
}
