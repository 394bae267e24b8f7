// Exit codes of `tenantry exec`, by the shell's convention. Scripts can distinguish failures of the emulator from failures of
// the command.
import { constants } from 'node:os'

/**
 * The emulator could not start, or the fixture could not be applied. `timeout`, `env` and container tools use the same code.
 */
export const OWN_FAILURE = 125
/** The command exists but cannot be run. */
const NOT_EXECUTABLE = 126
/** The command does not exist. */
const NOT_FOUND = 127
const SIGNAL_BASE = 128

/** Returns the command's own exit code, or 128 plus the signal's number when a signal ended the command. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return SIGNAL_BASE + (signal === null ? 0 : constants.signals[signal])
}

/** The code for a command that could not be started at all. */
export function exitCodeOfFailedStart(error: NodeJS.ErrnoException): number {
  return error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE
}
