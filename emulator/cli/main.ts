// The command line. Every failure is one sentence on standard error and exit code 1. Exit code 2 means that the thing
// asked for does not exist (no message, no emulator); `exec` ends with its command's code.
import { CommanderError } from 'commander'
import { diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'
import { createProgram } from './program.ts'
import { sentenceOf } from './report.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1
  else {
    const told = error instanceof EmulatorError ? error : (diskFailureOf(error) ?? error)
    process.stderr.write(`tenantry: ${sentenceOf(told)}\n`)
    if (!(told instanceof EmulatorError) && told instanceof Error)
      process.stderr.write(`${told.stack ?? ''}\n`)
    process.exitCode = 1
  }
}
