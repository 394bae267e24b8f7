// Runs the command of `tenantry exec`. All processes that the command started end with this process, even after a crash or
// SIGKILL.
import type { Clock } from '../../../core/clock.ts'
import { commandLine } from './command-line.ts'
import { exitCodeOf, exitCodeOfFailedStart, NOT_FOUND } from './exit-codes.ts'
import { isMissing, startHeld } from './held-start.ts'
import { createProcessTree, thisSystem } from './process-tree.ts'

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv
  readonly wallClock: Clock
}

export interface ChildEnd {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | null
  /** Why the command could not be started. */
  readonly startFailure?: string
}

/** Returns how a command ends that does not exist, before anything is started for it; `undefined` for other commands. */
export function endOfMissing([name = '']: readonly string[]): ChildEnd | undefined {
  return isMissing(name, process.env['PATH'])
    ? { exitCode: NOT_FOUND, signal: null, startFailure: noCommand(name) }
    : undefined
}

/**
 * Starts the command and resolves when it has ended. The command shares this process's input, output and terminal, and receives
 * the signals of this process.
 */
export function runChild(
  command: readonly string[],
  { env, wallClock }: ChildOptions,
): Promise<ChildEnd> {
  const line = commandLine(command, process.platform, env['ComSpec'])
  const tree = createProcessTree(thisSystem, process.stdin.isTTY === true)
  const { child, go } = startHeld(line, { env, detached: tree.detached })
  void tree.guard(child.pid).then(go)
  const end = (signal: NodeJS.Signals): void => tree.signal(child.pid, signal)
  const releases = [passSignals(end, tree.detached), endAtExit(end), tree.release]
  return new Promise((resolve) => {
    const finish = async (ended: ChildEnd): Promise<void> => {
      await tree.sweep(child.pid, wallClock)
      for (const release of releases) release()
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
  if (error.code === 'ENOENT') return noCommand(command)
  if (error.code === 'EACCES')
    return `${command} may not be run: it is not a program, or not executable.`
  return `${command} cannot be started: ${error.message}.`
}

function noCommand(command: string): string {
  return `There is no command ${command}.`
}

// Does not pass SIGINT on when the command is in this process's group: the terminal then sends SIGINT to the command directly.
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

// Node emits `exit` also after an uncaught exception.
function endAtExit(end: (signal: NodeJS.Signals) => void): () => void {
  const kill = (): void => end('SIGKILL')
  process.on('exit', kill)
  return () => process.off('exit', kill)
}
