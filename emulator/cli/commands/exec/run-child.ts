// Runs the command of `tenantry exec`. All processes that the command started end with this process, even after a crash or
// SIGKILL.

import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Clock } from '../../../core/clock.ts'
import { type CommandLine, commandLine } from './command-line.ts'
import { exitCodeOf, exitCodeOfFailedStart, NOT_FOUND } from './exit-codes.ts'
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

/** Returns the result of a command that does not exist, before anything is started. Returns `undefined` for other commands. */
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

// Ends the command when this process exits. Node emits `exit` even after an uncaught exception.
function endAtExit(end: (signal: NodeJS.Signals) => void): () => void {
  const kill = (): void => end('SIGKILL')
  process.on('exit', kill)
  return () => process.off('exit', kill)
}

// Holds a command back until the guard can end it (process-tree.ts). A shell starts first, waits on a pipe, and then replaces
// itself by the command with the same process id. When this process is killed earlier, the pipe closes and the shell ends.

interface HeldCommand {
  readonly child: ChildProcess
  /** Lets the command run. */
  go(): void
}

const SHELL = '/bin/sh'
const PIPE = 3
// The path that execvp() searches when PATH is not set, as confstr(_CS_PATH) states it.
// cspell:ignore execvp SHLVL
const DEFAULT_PATH = '/bin:/usr/bin'
const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Variables that shells set for themselves. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL'] as const

/** Starts the command, and holds it back on systems with a POSIX shell. A command that cannot run starts without the shell. */
export function startHeld(
  { args, file, isVerbatim }: CommandLine,
  { detached, env }: { readonly detached: boolean; readonly env: NodeJS.ProcessEnv },
): HeldCommand {
  const isHeld = process.platform !== 'win32' && existsSync(SHELL) && canRun(file, env['PATH'])
  if (!isHeld) {
    const options = { env, detached, windowsVerbatimArguments: isVerbatim }
    return { child: spawn(file, [...args], { ...options, stdio: 'inherit' }), go: () => {} }
  }
  const child = spawn(SHELL, ['-c', waitingScript(env), 'sh', ...besides(env), file, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env,
    detached,
  })
  const pipe = child.stdio[PIPE]
  // Writing fails when the shell was killed while it waited. The child's exit already reports that.
  pipe?.on('error', () => undefined)
  return {
    child,
    go: () => {
      if (pipe !== null && pipe !== undefined && 'write' in pipe) pipe.end('go\n')
    },
  }
}

function waitingScript(env: NodeJS.ProcessEnv): string {
  const added = OF_SHELLS.filter((name) => env[name] === undefined)
  const unset = added.length === 0 ? '' : `unset ${added.join(' ')}; `
  return `read -r _ <&${PIPE} || exit; exec ${PIPE}<&-; ${unset}exec "$@"`
}

// Some shells drop variables whose names are invalid in a shell, such as functions that bash exports. `env` sets these variables.
function besides(env: NodeJS.ProcessEnv): readonly string[] {
  const dropped = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !SHELL_NAME.test(name),
  )
  return dropped.length === 0
    ? []
    : ['/usr/bin/env', ...dropped.map(([name, value]) => `${name}=${value}`)]
}

// Whether execvp() would find the program. If not, Node itself starts it and reports the error, which a shell would only print.
function canRun(file: string, path = DEFAULT_PATH): boolean {
  return placesOf(file, path).some(isProgram)
}

/** Whether the command's file does not exist. Always false on Windows, which finds commands in other ways. */
function isMissing(file: string, path: string | undefined = DEFAULT_PATH): boolean {
  return process.platform !== 'win32' && !placesOf(file, path).some((place) => existsSync(place))
}

function placesOf(file: string, path: string): readonly string[] {
  if (file.includes('/')) return [file]
  return path.split(delimiter).map((folder) => join(folder || '.', file))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
