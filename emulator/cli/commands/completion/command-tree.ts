// The commands and options of the command line, as the completion scripts need them. Pure.
import type { Argument, Command, Option } from 'commander'

/** What a shell offers as a value. `none`: any text, for which the shell has no offer. */
export type Values =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'folders' | 'files' | 'none' }

export interface Completed {
  /** Such as `--log` or `migrate`. */
  readonly name: string
  readonly description: string
}

export interface CompletedOption extends Completed {
  /** Such as `-V`. */
  readonly short: string | undefined
  /** `undefined` for an option without a value. */
  readonly values: Values | undefined
}

/** A command, and what can follow it. */
export interface CommandNode {
  /** Path without the program, such as `migrate apply`; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Completed[]
  readonly options: readonly CompletedOption[]
  /** Values of the next argument. */
  readonly argument: Values
}

/** Returns the program and all its commands. A command comes before those below it. */
export function commandTree(program: Command): readonly CommandNode[] {
  return nodesOf(program, '')
}

function nodesOf(command: Command, path: string): readonly CommandNode[] {
  const own: CommandNode = {
    path,
    commands: command.commands.map((inner) => ({
      name: inner.name(),
      description: inner.description(),
    })),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), HELP],
    argument: argumentOf(command.registeredArguments[0]),
  }
  const below = command.commands.flatMap((inner) =>
    nodesOf(inner, path === '' ? inner.name() : `${path} ${inner.name()}`),
  )
  return [own, ...below]
}

/** Commander adds this option to each command. */
const HELP: CompletedOption = {
  name: '--help',
  short: '-h',
  description: 'display help for command',
  values: undefined,
}

function optionOf(option: Option): CompletedOption {
  const { argChoices, description, flags, long, short } = option
  const takesValue = option.required || option.optional
  return {
    name: long ?? flags,
    short: short === undefined || short === long ? undefined : short,
    description,
    values: takesValue ? valuesOf(argChoices, /<([^>]+)>/.exec(flags)?.[1]) : undefined,
  }
}

function argumentOf(argument: Argument | undefined): Values {
  return argument === undefined ? { kind: 'none' } : valuesOf(argument.argChoices, argument.name())
}

/** Names of values that are paths, as the help shows them. */
const FOLDERS = /^(?:folder|dir)$/
const FILES = /^(?:file|fixture|target|recording|bundle)$/

function valuesOf(choices: readonly string[] | undefined, name = ''): Values {
  if (choices !== undefined) return { kind: 'choices', choices }
  if (FOLDERS.test(name)) return { kind: 'folders' }
  return { kind: FILES.test(name) ? 'files' : 'none' }
}
