// Declares the commands and options of the command line, without running any.
import { Command, Option } from 'commander'
import { version } from '../core/version.ts'
import { auditCommand } from './commands/audit/audit.ts'
import { bisectCommand } from './commands/bisect/bisect.ts'
import { bundleCommand } from './commands/bundle/bundle.ts'
import { clockCommand } from './commands/clock.ts'
import { compareCommand } from './commands/compare/compare.ts'
import { completionCommand } from './commands/completion/completion.ts'
import { conformanceCommand } from './commands/conformance/conformance.ts'
import { devCommand } from './commands/dev/dev.ts'
import { doctorCommand } from './commands/doctor/doctor.ts'
import { envCommand } from './commands/env/env.ts'
import { execCommand } from './commands/exec/exec.ts'
import { faultCommand } from './commands/fault.ts'
import { fixtureCommand } from './commands/fixture.ts'
import { historyCommand } from './commands/history.ts'
import { initCommand } from './commands/init/init.ts'
import { listCommand } from './commands/list.ts'
import { logsCommand } from './commands/logs/logs.ts'
import { mailboxCommand } from './commands/mailbox.ts'
import { mcpCommand } from './commands/mcp/mcp.ts'
import { migrateCommand } from './commands/migrate/migrate.ts'
import { openCommand } from './commands/open/open.ts'
import { pullCommand } from './commands/pull/pull.ts'
import { recordCommand } from './commands/record/record.ts'
import { resetCommand, snapshotCommand } from './commands/snapshot.ts'
import { sqlCommand } from './commands/sql/sql.ts'
import { startCommand } from './commands/start/start.ts'
import { statusCommand, stopCommand, waitCommand } from './commands/status.ts'
import { typesCommand } from './commands/types.ts'
import { undoCommand } from './commands/undo.ts'
import { beQuiet } from './live-line.ts'
import { terminal } from './terminal.ts'

/** Creates `tenantry` with all its commands. `parseAsync` runs one of them. */
export function createProgram(): Command {
  const program = new Command('tenantry')
    .description('A whole multi-tenant backend platform on your laptop.')
    .version(version)
    .showHelpAfterError('Run "tenantry --help" to list the commands.')
    .addOption(quietOption())
    .enablePositionalOptions()
    .hook('preAction', (_, action) => {
      if ([program, action].some((each) => each.opts<{ readonly quiet?: boolean }>().quiet))
        beQuiet()
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal().stdout.write(text),
      writeErr: (text) => terminal().stderr.write(text),
      outputError: (text, write) =>
        write(withOwnPath(program, text).replace(/^error: /, 'tenantry: ')),
    })
  for (const command of [
    initCommand(),
    startCommand(),
    devCommand(),
    execCommand(),
    envCommand(),
    statusCommand(),
    waitCommand(),
    stopCommand(),
    listCommand(),
    logsCommand(),
    mailboxCommand(),
    sqlCommand(),
    historyCommand(),
    undoCommand(),
    bisectCommand(),
    fixtureCommand(),
    migrateCommand(),
    pullCommand(),
    auditCommand(),
    recordCommand(),
    compareCommand(),
    conformanceCommand(),
    mcpCommand(),
    faultCommand(),
    clockCommand(),
    snapshotCommand(),
    resetCommand(),
    bundleCommand(),
    openCommand(),
    typesCommand(),
    doctorCommand(),
    completionCommand(),
  ])
    program.addCommand(inheriting(command, program))
  return program
}

// Adds the full path of a subcommand with the unknown name, because Commander suggests only commands of the first level.
function withOwnPath(program: Command, text: string): string {
  const [, name] = /^error: unknown command '([^']*)'/.exec(text) ?? []
  const paths = program.commands.flatMap((outer) =>
    outer.commands
      .filter((inner) => inner.name() === name)
      .map(() => `"${program.name()} ${outer.name()} ${name}"`),
  )
  if (paths.length === 0) return text
  return `error: There is no command ${name}. Did you mean ${paths.join(' or ')}?\n`
}

// Every command has this option, also those that show no progress, so that scripts can always add it.
function quietOption(): Option {
  return new Option('--quiet', 'show no progress, before or after the name of a command')
}

// Copies the parent's settings, because Commander copies them only to commands that it creates itself. After a wrong option, the
// error names the help of its command.
function inheriting(
  command: Command,
  parent: Command,
  path = `${parent.name()} ${command.name()}`,
) {
  command
    .copyInheritedSettings(parent)
    .showHelpAfterError(`Run "${path} --help" to list its options.`)
  if (command.commands.length === 0) command.addOption(quietOption().hideHelp())
  for (const inner of command.commands) inheriting(inner, command, `${path} ${inner.name()}`)
  return command
}
