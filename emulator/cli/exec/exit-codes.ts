// With which code a command line ends: the shell's own convention, so that a script can tell whose failure it was.
import { constants } from 'node:os'

/** The emulator could not be started or the fixture not be applied; as `timeout`, `env` and container tools do. */
export const OWN_FAILURE = 125
/** The command is there but cannot be run. */
const NOT_EXECUTABLE = 126
/** There is no such command. */
const NOT_FOUND = 127
const SIGNAL_BASE = 128

/** The command's own code; 128 and the signal's number when one ended it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return SIGNAL_BASE + (signal === null ? 0 : constants.signals[signal])
}

/** The code for a command that could not be started at all. */
export function exitCodeOfFailedStart(error: NodeJS.ErrnoException): number {
  return error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE
}
