// Runs the command line. A failure prints one sentence to standard error and exits with 1. Exit code 2 means that the requested
// message or emulator does not exist. `exec` exits with its command's code.
import { CommanderError } from 'commander'
import { diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'
import { fileRefusalOf } from './file-refusal.ts'
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
