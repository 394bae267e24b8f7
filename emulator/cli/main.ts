// The command line. Every failure is one sentence on standard error and exit code 1. Exit code 2 means that the thing
// asked for does not exist (no message, no emulator); `exec` ends with its command's code.
import { CommanderError } from 'commander'
import { EmulatorError } from '../core/errors.ts'
import { createProgram } from './program.ts'
import { sentenceOf } from './report.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1
  else {
    process.stderr.write(`tenantry: ${sentenceOf(error)}\n`)
    if (!(error instanceof EmulatorError) && error instanceof Error)
      process.stderr.write(`${error.stack ?? ''}\n`)
    process.exitCode = 1
  }
}
