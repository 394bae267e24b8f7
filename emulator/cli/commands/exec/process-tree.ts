// Ends a command together with the processes it started. POSIX systems have process groups and signals; Windows has neither
// (docs/platform-calls.md). The operating system is a parameter, so that tests can run the code for every system.
import { type SpawnOptions, spawn } from 'node:child_process'
import type { Clock } from '../../../core/clock.ts'

/** Functions of the operating system that this file calls. Tests replace them. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform
  /** Sends a signal. A negative `pid` names a process group. Throws when the process does not exist. */
  kill(pid: number, signal: NodeJS.Signals | 0): void
  /** Starts a helper program that outlives this process. */
  start(file: string, args: readonly string[], options: SpawnOptions): HelperProcess
}

export interface HelperProcess {
  /** Resolves when the line is in the pipe to the helper. The helper then reads the line even if this process is killed. */
  write(line: string): Promise<void>
  kill(): void
}

export interface ProcessTree {
  /** Pass this value to `spawn` as the option `detached`. When true, the command leads its own process group. */
  readonly detached: boolean
  /** Ends the command when this process is killed. Start the command's work only after the promise has resolved. */
  guard(pid: number | undefined): Promise<void>
  /** Passes a signal to the command and everything it started. */
  signal(pid: number | undefined, signal: NodeJS.Signals): void
  /**
   * Asks the remaining processes of the command's group to end, and kills them after two seconds. Call this function after the
   * command has ended.
   */
  sweep(pid: number | undefined, wallClock: Clock): Promise<void>
  /** Stops guarding the command. */
  release(): void
}

const GRACE_STEPS = 40
const GRACE_STEP_MILLIS = 50

/**
 * Create the process tree before the command starts, so that the command is guarded from the start.
 * @param isAtTerminal keeps the command in the process group of this process. Only that group may read from the terminal, and
 * Ctrl-C reaches both processes
 */
export function createProcessTree(system: ProcessSystem, isAtTerminal: boolean): ProcessTree {
  return system.platform === 'win32' ? windowsTree(system) : posixTree(system, isAtTerminal)
}

export const thisSystem: ProcessSystem = {
  platform: process.platform,
  kill: (pid, signal) => {
    process.kill(pid, signal)
  },
  start: (file, args, options) => {
    const helper = spawn(file, [...args], options)
    helper.on('error', () => undefined)
    helper.stdin?.on('error', () => undefined)
    helper.unref()
    return {
      write: (line) =>
        new Promise((resolve) => {
          // The helper could not be started, so the command runs without it.
          if (helper.stdin === null) resolve()
          else helper.stdin.write(line, () => resolve())
        }),
      kill: () => void helper.kill('SIGKILL'),
    }
  },
}

// A killed process cannot end its children. Therefore a shell waits until this process's end of the pipe closes, then ends the
// command's group.
const GUARD =
  "trap '' INT TERM HUP; read -r group || exit 0; read -r _; kill -s TERM -- $group 2>/dev/null; sleep 2; kill -s KILL -- $group 2>/dev/null"

function posixTree(system: ProcessSystem, isAtTerminal: boolean): ProcessTree {
  const ownsGroup = !isAtTerminal
  const shell = system.start('/bin/sh', ['-c', GUARD], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const target = (pid: number): number => (ownsGroup ? -pid : pid)
  return {
    detached: ownsGroup,
    guard: async (pid) => {
      if (pid !== undefined) await shell.write(`${target(pid)}\n`)
    },
    signal: (pid, signal) => {
      if (pid !== undefined) reaches(system, target(pid), signal)
    },
    sweep: async (pid, wallClock) => {
      if (pid === undefined || !ownsGroup) return
      let isLeft = reaches(system, -pid, 'SIGTERM')
      for (let step = 0; isLeft && step < GRACE_STEPS; step += 1) {
        await pause(wallClock)
        isLeft = reaches(system, -pid, 0)
      }
      if (isLeft) reaches(system, -pid, 'SIGKILL')
    },
    release: () => shell.kill(),
  }
}

// `taskkill /t` finds child processes through their parents, so the command itself must still run. The console sends Ctrl-C to
// the command directly. Every other signal ends the command.
function windowsTree(system: ProcessSystem): ProcessTree {
  return {
    detached: false,
    guard: () => Promise.resolve(),
    signal: (pid, signal) => {
      if (pid === undefined || signal === 'SIGINT') return
      system.start('taskkill', ['/pid', String(pid), '/t', '/f'], {
        stdio: 'ignore',
        detached: true,
        windowsHide: true,
      })
    },
    sweep: () => Promise.resolve(),
    release: () => undefined,
  }
}

function reaches(system: ProcessSystem, pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    system.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

function pause(wallClock: Clock): Promise<void> {
  return new Promise((resolve) => {
    wallClock.after(GRACE_STEP_MILLIS, resolve)
  })
}
