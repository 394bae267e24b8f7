// The terminal of a command: its streams, its signals and its exit. Each run of a command can have its own terminal, so one
// process can run several commands. Working directory and environment always belong to the process.
import { AsyncLocalStorage } from 'node:async_hooks'

/** An output of a command. */
export interface TerminalOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  /** Width of the terminal in characters. */
  readonly columns?: number
}

/** The input of a command. */
export interface TerminalInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  unref?(): unknown
}

type TerminalEvent = NodeJS.Signals | 'disconnect' | 'exit' | 'message' | 'unhandledRejection'

/** The part of Node's `process` that commands use. */
export interface Terminal {
  readonly stdin: TerminalInput
  readonly stdout: TerminalOutput
  readonly stderr: TerminalOutput
  /** The exit code of a command that ends by itself. Default: 0. */
  exitCode?: string | number | null | undefined
  /** Sends a message to the process that started this one. Absent without such a process. */
  send?(message: unknown): unknown
  /** The connection to the process that started this one. */
  readonly channel?: { unref(): unknown } | null | undefined
  /** Ends the command at once. */
  exit(code: number): unknown
  on(event: TerminalEvent, listener: (value: unknown) => void): unknown
  once(event: TerminalEvent, listener: (value: unknown) => void): unknown
  off(event: TerminalEvent, listener: (value: unknown) => void): unknown
}

const terminals = new AsyncLocalStorage<Terminal>()

/** Returns the terminal of this run. The default is the process itself. */
export function terminal(): Terminal {
  return terminals.getStore() ?? process
}

/** Calls `run` with the terminal `own`. All work that `run` starts uses the same terminal. */
export function withTerminal<T>(own: Terminal, run: () => T): T {
  return terminals.run(own, run)
}
