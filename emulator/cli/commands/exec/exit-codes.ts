// Exit codes of `tenantry exec`, by the shell's convention. Scripts can distinguish failures of the emulator from failures of
// the command.
import { constants } from 'node:os'

/**
 * The emulator could not start, or the fixture could not be applied. The tools `timeout` and `env` use the same code for their
 * own failures.
 */
export const OWN_FAILURE = 125
/** Exit code when the command exists but cannot be run. */
const NOT_EXECUTABLE = 126
/** Exit code when the command does not exist. */
export const NOT_FOUND = 127
const SIGNAL_BASE = 128

/** Returns the command's own exit code, or 128 plus the signal's number when a signal ended the command. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return SIGNAL_BASE + (signal === null ? 0 : constants.signals[signal])
}

/** Returns the exit code for a command that could not be started. */
export function exitCodeOfFailedStart(error: NodeJS.ErrnoException): number {
  return error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE
}
