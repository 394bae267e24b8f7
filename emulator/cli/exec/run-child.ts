// Runs a command as a child whose whole group ends with us, however we end: by a signal, a crash or without warning.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '../../core/clock.ts'
import { commandLine } from './command-line.ts'
import { exitCodeOf, exitCodeOfFailedStart } from './exit-codes.ts'

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv
  readonly wallClock: Clock
}

export interface ChildEnd {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly startFailure?: string
}

/** What is left of the group is asked to end and given two seconds. */
const GRACE_STEPS = 40
const GRACE_STEP_MILLIS = 50

/** Runs until it ends; it has our input, output and terminal, and hears the signals we get. */
export function runChild(
  command: readonly string[],
  { env, wallClock }: ChildOptions,
): Promise<ChildEnd> {
  const { file, args, isVerbatim } = commandLine(command, process.platform, env['ComSpec'])
  // At a terminal the child has to stay in the group that may read from it; Ctrl-C reaches both of us there.
  const ownsGroup = process.platform !== 'win32' && process.stdin.isTTY !== true
  const guard = openGuard()
  const child = spawn(file, [...args], {
    stdio: 'inherit',
    env,
    detached: ownsGroup,
    windowsVerbatimArguments: isVerbatim,
  })
  guard.watch(child, ownsGroup)
  const end = (signal: NodeJS.Signals) => signalTo(child, ownsGroup, signal)
  const letGo = [passSignals(end, ownsGroup), endWithUs(end), guard.stop]
  return new Promise((resolve) => {
    const finish = async (ended: ChildEnd): Promise<void> => {
      if (ownsGroup && child.pid !== undefined) await sweepGroup(child.pid, wallClock)
      for (const stop of letGo) stop()
      resolve(ended)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined)
        void finish({
          exitCode: exitCodeOfFailedStart(error),
          signal: null,
          startFailure: sentenceOf(command[0] ?? '', error),
        })
    })
    child.on('exit', (code, signal) => {
      void finish({ exitCode: exitCodeOf(code, signal), signal })
    })
  })
}

function sentenceOf(command: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no command ${command}.`
  if (error.code === 'EACCES')
    return `${command} may not be run: it is no program, or not executable.`
  return `${command} cannot be started: ${error.message}.`
}

function signalTo(child: ChildProcess, ownsGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(ownsGroup ? -child.pid : child.pid, signal)
  } catch {
    // It is gone already.
  }
}

function passSignals(end: (signal: NodeJS.Signals) => void, ownsGroup: boolean): () => void {
  const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = passed.map((signal) => {
    const pass = (): void => {
      if (signal !== 'SIGINT' || ownsGroup) end(signal)
    }
    process.on(signal, pass)
    return { signal, pass }
  })
  return () => {
    for (const { signal, pass } of listeners) process.off(signal, pass)
  }
}

// A crash of ours still gets here.
function endWithUs(end: (signal: NodeJS.Signals) => void): () => void {
  const kill = (): void => end('SIGKILL')
  process.on('exit', kill)
  return () => process.off('exit', kill)
}

const GUARD =
  "trap '' INT TERM HUP; read -r group || exit 0; read -r _; kill -s TERM -- $group 2>/dev/null; sleep 2; kill -s KILL -- $group 2>/dev/null"

interface Guard {
  /** Tells it whom to end. */
  watch(child: ChildProcess, ownsGroup: boolean): void
  stop(): void
}

// Nothing runs in a process that is killed; a shell that waits at the end of our pipe hears of it. It is there before the
// command, so that no moment is left in which the command runs and nobody watches.
function openGuard(): Guard {
  if (process.platform === 'win32') return { watch: () => undefined, stop: () => undefined }
  const watcher = spawn('/bin/sh', ['-c', GUARD], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.on('error', () => undefined)
  watcher.stdin.on('error', () => undefined)
  watcher.unref()
  return {
    watch: ({ pid }, ownsGroup) => {
      if (pid !== undefined) watcher.stdin.write(`${ownsGroup ? '-' : ''}${pid}\n`)
    },
    stop: () => void watcher.kill('SIGKILL'),
  }
}

// What the command left running would go on against an emulator that is gone.
async function sweepGroup(pid: number, wallClock: Clock): Promise<void> {
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      wallClock.after(GRACE_STEP_MILLIS, resolve)
    })
  for (
    let left = GRACE_STEPS;
    left > 0 && tell(pid, left === GRACE_STEPS ? 'SIGTERM' : 0);
    left -= 1
  )
    await wait()
  tell(pid, 'SIGKILL')
}

/** Whether anybody of the group was there to hear it. */
function tell(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}
