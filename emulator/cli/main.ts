// The command line. Every failure is one clear sentence on standard error and exit code 1; 2 means that what was asked for is
// not there (no message, no emulator), and `exec` ends as its command does.
import { Command, CommanderError } from 'commander'
import { diskFailureOf } from '../core/disk-failure.ts'
import { EmulatorError } from '../core/errors.ts'
import { version } from '../version.ts'
import { clockCommand } from './commands/clock.ts'
import { execCommand } from './commands/exec.ts'
import { faultCommand } from './commands/fault.ts'
import { fixtureCommand } from './commands/fixture.ts'
import { mailboxCommand } from './commands/mailbox.ts'
import { resetCommand, snapshotCommand } from './commands/snapshot.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand, stopCommand, waitCommand } from './commands/status.ts'
import { typesCommand } from './commands/types.ts'
import { sentenceOf } from './report.ts'

const program = new Command('tenantry')
  .description('A whole multi-tenant backend platform on your laptop.')
  .version(version)
  .showHelpAfterError('Run "tenantry --help" to see what there is.')
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tenantry: ')) })

const COMMANDS = [
  startCommand(),
  execCommand(),
  statusCommand(),
  waitCommand(),
  stopCommand(),
  mailboxCommand(),
  fixtureCommand(),
  faultCommand(),
  clockCommand(),
  snapshotCommand(),
  resetCommand(),
  typesCommand(),
]
for (const command of COMMANDS) program.addCommand(command.copyInheritedSettings(program))

try {
  await program.parseAsync()
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
