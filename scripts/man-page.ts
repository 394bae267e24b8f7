// The manual page tenantry(1), from the commands and options that docs/reference/cli.md shows (reference-pages.ts). Pure. The format
// is man(7).
import type { Command } from 'commander'
import { argumentText, defaultOf, EXIT_CODES, meaningOf, nameOf } from './reference-pages.ts'

/** docs/reference/tenantry.1. @param version of the package */
export function manPage(program: Command, version: string): string {
  const commands = program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : [...command.commands],
  )
  return [
    `.TH TENANTRY 1 "" "Tenantry ${version}" "User Commands"`,
    '.SH NAME',
    `tenantry \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    '.B tenantry',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    '.B tenantry',
    'runs an emulator of a multi\\-tenant backend platform on this machine, and the commands that work with it.',
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, which, meaning]) => [
      '.TP',
      bold(plain(code)),
      escaped(`${plain(which)}: ${plain(meaning)}.`),
    ]),
    '.SH FILES',
    '.TP',
    bold('.tenantry/'),
    'data, keys and log of the emulator of this folder',
    '.TP',
    bold('tenantry/fixture.yaml'),
    'tables and development data of the application of this folder',
    '',
  ].join('\n')
}

function commandLines(command: Command): readonly string[] {
  const name = nameOf(command)
  const args = command.registeredArguments.map(argumentText)
  return [
    `.SS ${escaped([name, ...args].join(' '))}`,
    escaped(`${command.description()}.`),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .flatMap((option) => {
        const value = plain(defaultOf(option))
        const meaning = plain(meaningOf(option))
        return [
          '.TP',
          bold(option.flags),
          escaped(
            value === '' || meaning.includes('(default')
              ? meaning
              : `${meaning} (default: ${value})`,
          ),
        ]
      }),
  ]
}

/** Removes the Markdown of code. */
function plain(text: string): string {
  return text.replaceAll('`', '')
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`
}

// A point or an apostrophe at the begin of a line would be a request. A plain hyphen would become a typographic one.
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replace(/^([.'])/, '\\&$1')
}
