// The key r in the terminal of `tenantry dev`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The members of `process.stdin` that this file uses. */
export interface KeyInput {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  on(event: 'data', listener: (bytes: Buffer) => void): unknown
  on(event: 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  unref?(): unknown
}

/** The members of `process` that this file uses. */
export interface KeyProcess {
  kill(signal: 'SIGINT' | 'SIGTSTP'): void
  on(event: 'SIGCONT' | 'exit', listener: () => void): unknown
  /** Whether the process may read from its terminal. The system stops a background process that reads. */
  isForeground(): boolean
}

const CTRL_C = '\u0003'
const CTRL_Z = '\u001a'

const THIS_PROCESS: KeyProcess = {
  kill: (signal) => process.kill(process.pid, signal),
  on: (event, listener) => process.on(event, listener),
  isForeground,
}

/**
 * Calls `press` when the user presses r in a terminal. When the input is not a terminal, calls `press` for a line with r. Does
 * not keep the process alive.
 */
export function onRebuildKey(
  input: KeyInput,
  press: () => void,
  owner: KeyProcess = THIS_PROCESS,
): void {
  const { isTTY: isTerminal = false } = input
  input.on('error', () => undefined)
  input.on('data', (bytes) => {
    const text = bytes.toString()
    if (!isTerminal) {
      if (/^r\r?$/im.test(text)) press()
    } else if (text.includes(CTRL_C)) owner.kill('SIGINT')
    else if (text.includes(CTRL_Z)) suspend()
    else if (/^r$/i.test(text)) press()
  })
  // In raw mode, the terminal sends characters instead of signals.
  function suspend(): void {
    input.setRawMode?.(false)
    owner.kill('SIGTSTP')
  }
  function readKeys(): void {
    if (owner.isForeground()) {
      input.setRawMode?.(true)
      input.resume()
    } else input.pause()
  }
  if (isTerminal) {
    readKeys()
    owner.on('SIGCONT', readKeys)
    owner.on('exit', () => input.setRawMode?.(false))
  }
  input.unref?.()
}

// Whether this process is in the foreground of its terminal. The system stops a background process that reads from the terminal
// or changes the terminal's mode.
function isForeground(): boolean {
  // Windows has no background jobs.
  if (process.platform === 'win32') return true
  try {
    return process.platform === 'linux'
      ? isForegroundOf(readFileSync('/proc/self/stat', 'utf8'))
      : execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
          encoding: 'utf8',
        }).includes('+')
  } catch {
    return false
  }
}

// proc(5): after the name in brackets follow state, parent, process group, session, terminal and the terminal's foreground group.
function isForegroundOf(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group !== undefined && group === foreground
}
