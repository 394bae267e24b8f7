// Runs the command line. A failure prints one sentence to standard error and exits with 1. Exit code 2 means that the requested
// message or emulator does not exist. `exec` exits with its command's code.
import { CommanderError } from 'commander'
import { diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'
import { createProgram } from './program.ts'
import { sentenceOf } from './report.ts'
import { type Terminal, withTerminal } from './terminal.ts'

/**
 * Runs `tenantry` with these arguments. Resolves when the command has ended, or has set the exit code of its terminal.
 * @param args without the names of Node and the program
 */
export async function runCommandLine(
  args: readonly string[],
  own: Terminal = process,
): Promise<void> {
  own.stdout.on('error', (error: NodeJS.ErrnoException) => whenUnwritable(own, error))
  try {
    await withTerminal(own, () => createProgram().parseAsync(args, { from: 'user' }))
  } catch (error) {
    own.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 1
    if (!(error instanceof CommanderError)) own.stderr.write(complaintOf(error))
  }
}

// A reader such as `head` closes the pipe when it has read enough. The command then runs to its end without output.
function whenUnwritable(own: Terminal, error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  own.stderr.write(`tenantry: The output cannot be written: ${error.message}.\n`)
  own.exitCode = 1
}

// Prints the stack only for an error of unknown cause.
function complaintOf(error: unknown): string {
  const told =
    error instanceof EmulatorError ? error : (fileRefusalOf(error) ?? diskFailureOf(error) ?? error)
  const sentence = `tenantry: ${sentenceOf(told)}\n`
  return told instanceof EmulatorError || !(told instanceof Error)
    ? sentence
    : `${sentence}${told.stack ?? ''}\n`
}

// Errors of files that a command itself reads or writes, outside the data directory. Pure.

/** The error that is printed when the system refuses the use of a file or folder that a command needs. */
class FileRefusal extends EmulatorError {
  override readonly code = 'file_refused'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Your account may not use it',
  EPERM: 'Your account may not use it',
  EROFS: 'Its disk can only be read',
  ENOSPC: 'Its disk is full',
}

/** Returns the error for the user when the system refused a path; else `undefined`. */
export function fileRefusalOf(error: unknown): FileRefusal | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const reason = REASONS[String(error.code)]
  if (reason === undefined) return undefined
  return new FileRefusal(`${error.path} cannot be used: ${error.message}. ${reason}.`, {
    hint: 'Choose another place, or change its permissions.',
    cause: error,
  })
}
