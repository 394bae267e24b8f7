// Runs the command line. A failure prints one sentence to standard error and exits with 1. Exit code 2 means that the requested
// message or emulator does not exist. `exec` exits with its command's code.
import { CommanderError } from 'commander'
import { diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'
import { createProgram } from './program.ts'
import { sentenceOf } from './report.ts'

// A reader such as `head` closes the pipe when it has read enough. The command then runs to its end without output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`tenantry: The output cannot be written: ${error.message}.\n`)
  process.exitCode = 1
})

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1
  else {
    const told =
      error instanceof EmulatorError
        ? error
        : (fileRefusalOf(error) ?? diskFailureOf(error) ?? error)
    process.stderr.write(`tenantry: ${sentenceOf(told)}\n`)
    if (!(told instanceof EmulatorError) && told instanceof Error)
      process.stderr.write(`${told.stack ?? ''}\n`)
    process.exitCode = 1
  }
}

// Errors of files that a command itself reads or writes, outside the data directory. Pure.

/** The system refuses a file or folder that a command needs. */
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
