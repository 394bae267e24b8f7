// The pages of docs/reference that restate facts of the code: commands, fixture keys, routes. Pure; `npm run docs` writes
// them, and a test fails when a page is older than the code.
import type { Argument, Command, Option } from 'commander'
import type { OperationTable } from '../emulator/contract/operation.ts'
import type { RefusalFacts } from '../emulator/core/refusals.ts'

/** The parts of a JSON Schema that the page of fixture keys shows. */
export interface KeySchema {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, KeySchema>>
  readonly required?: readonly string[]
  readonly items?: KeySchema
  readonly anyOf?: readonly KeySchema[]
  readonly oneOf?: readonly KeySchema[]
}

/** Rows of the exit codes: code, commands, meaning. */
export const EXIT_CODES: readonly (readonly [code: string, commands: string, meaning: string])[] = [
  ['0', 'all', 'the command succeeded'],
  [
    '1',
    'all but `exec`',
    'the command failed; standard error has one sentence with the reason. `audit` and `migrate lint`: there are findings. `doctor`: there is a problem',
  ],
  [
    '2',
    '`mailbox`, `status`, `wait`, `stop`',
    'no message arrived, no emulator runs, or it was not ready in time',
  ],
  [
    'the command’s',
    '`exec`',
    'the exit code of the command; 128 plus the signal’s number when a signal ended the command',
  ],
  ['125', '`exec`', 'the emulator did not start, or the fixture could not be applied'],
  ['126, 127', '`exec`', 'the command cannot be run, or does not exist'],
]

/** docs/reference/cli.md. */
export function cliPage(program: Command): string {
  const commands = program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : [...command.commands],
  )
  return page('Command line', [
    'Run `npx tenantry <command>`. In a clone of the repository, `npm start -- <options>` runs `start`. `npm run docs` generates this page from the code.',
    'In a terminal, a command that takes longer shows on standard error what it does. `--quiet` hides this line. A pipe never contains it.',
    table(
      ['command', 'what it does'],
      commands.map((command) => [link(nameOf(command)), command.description()]),
    ),
    ...commands.map(commandSection),
    '<a id="exit-codes"></a>\n## Exit codes',
    table(['code', 'commands', 'meaning'], EXIT_CODES),
  ])
}

/** docs/reference/fixture-keys.md. */
export function fixtureKeysPage(schema: KeySchema): string {
  const keys = keysOf(schema, '')
  return page('Fixture keys', [
    'This page lists every key of `fixture.yaml`. `[]` means an item of a list. `npm run docs` generates this page and `fixtures/fixture.schema.json` for editors from the code.',
    table(
      ['key', 'type', 'meaning'],
      keys.map(({ path, type, required, description }) => [
        `\`${path}\`${required ? ' (required)' : ''}`,
        type,
        description,
      ]),
    ),
  ])
}

/** docs/reference/emulator-api.md. */
export function emulatorApiPage(
  operations: OperationTable,
  refusals: Readonly<Record<string, RefusalFacts>>,
): string {
  return page('Emulator API', [
    'The inspector, the command line, fixtures and tests use these routes below `/_emulator/v1`. Applications do not need them. Coding agents use [`/_emulator/mcp`](../guide/agents.md). `/_emulator/v1/openapi.json` has the schemas of bodies and answers. `npm run docs` generates this page from the code.',
    'The API answers on loopback only, unless the emulator was started with `--admin-token`. With an admin token, every request must carry `Authorization: Bearer <admin token>`. The API refuses requests with a foreign `Host` or `Origin` header with 403. An error is `{"error":{"code","message","hint"?}}`.',
    'The mount also serves two sets of pages to browsers: the inspector at `/_emulator/`, and this documentation at `/_emulator/docs/`. The documentation is part of the package; in a clone, `npm run docs:site` builds it. Before that, its address answers 503 with the sentence “The documentation site is not built.” and the command.',
    // cspell:ignore mend
    'Explanations, policy warnings and request chains suggest SQL in `suggested_fix`. They also contain the former name of this member, `mend`, which is deprecated.',
    table(
      ['route', 'what it does'],
      Object.entries(operations).map(([name, { summary }]) => [`\`${name}\``, summary]),
    ),
    '<a id="errors"></a>\n## Errors',
    refusalTable(refusals),
  ])
}

/** A page with its title. */
export function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`
}

/** A Markdown table. Escapes the bars of its cells, and what Markdown would take for a tag of HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function cellOf(text: string): string {
  const line = text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
  return line.replace(/(`[^`]*`)|<(?=[a-z/])/gi, (_, code: string | undefined) => code ?? '\\<')
}

/** Returns the path of a command without the program, such as `migrate apply`. */
export function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null
    ? command.name()
    : `${nameOf(parent)} ${command.name()}`
}

/** Formats a table of error codes, sorted by status and code. @param more rows of codes that `refusals` has, too */
export function refusalTable(
  refusals: Readonly<Record<string, RefusalFacts>>,
  more: Readonly<Record<string, RefusalFacts>> = {},
): string {
  const rows = byStatus([...Object.entries(refusals), ...Object.entries(more)])
  return table(
    ['status', 'code', 'meaning', 'what to do'],
    rows.map(([code, row]) => [String(row.status), `\`${code}\``, ...textsOf(row)]),
  )
}

/** Sorts error codes by status, then by name. */
export function byStatus<Row extends RefusalFacts>(
  rows: readonly (readonly [code: string, row: Row])[],
): readonly (readonly [code: string, row: Row])[] {
  return rows.toSorted(
    ([code, { status }], [other, row]) => status - row.status || (code < other ? -1 : 1),
  )
}

/** Returns cause and remedy in Markdown. */
export function textsOf({ cause, remedy }: RefusalFacts): readonly string[] {
  return [cause, remedy].map((text) => text.replaceAll(/[*<]/g, '\\$&'))
}

const link = (name: string): string => `[\`${name}\`](#${name.replaceAll(' ', '-')})`

function commandSection(command: Command): string {
  const name = nameOf(command)
  const args = command.registeredArguments.map(argumentText)
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    `<a id="${name.replaceAll(' ', '-')}"></a>\n## ${name}`,
    `\`tenantry ${[name, ...args].join(' ')}\`: ${command.description()}.`,
    ...(options.length === 0
      ? []
      : [
          table(
            ['option', 'meaning', 'default'],
            options.map((option) => [`\`${option.flags}\``, meaningOf(option), defaultOf(option)]),
          ),
        ]),
  ].join('\n\n')
}

/** Returns an argument as the help shows it, such as `[file...]`. */
export function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Returns the meaning of an option with its choices. */
export function meaningOf({ description, argChoices }: Option): string {
  return argChoices === undefined
    ? description
    : `${description}: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`
}

/** Returns the default of an option in Markdown; empty without one. */
export function defaultOf({ defaultValue, defaultValueDescription, envVar }: Option): string {
  const own =
    defaultValue === undefined || defaultValue === false ? '' : `\`${String(defaultValue)}\``
  const value = defaultValueDescription ?? own
  if (envVar === undefined) return value
  return value === '' ? `\`${envVar}\`` : `\`${envVar}\`, else ${value}`
}

interface Key {
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

function keysOf(schema: KeySchema, path: string): readonly Key[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]): readonly Key[] => {
    const inner = path === '' ? name : `${path}.${name}`
    const key = {
      path: inner,
      type: typeOf(value),
      required: schema.required?.includes(name) ?? false,
      description: value.description ?? '',
    }
    return [key, ...keysOf(value, inner)]
  })
  const items = schema.items === undefined ? [] : keysOf(schema.items, `${path}[]`)
  const variants = (schema.anyOf ?? schema.oneOf ?? []).flatMap((variant) => keysOf(variant, path))
  const all = [...own, ...items, ...variants]
  return all.filter((key, index) => all.findIndex((other) => other.path === key.path) === index)
}

function typeOf(schema: KeySchema): string {
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ')
  if (schema.type === 'array' && schema.items !== undefined)
    return `list of ${typeOf(schema.items)}`
  return schema.type ?? 'any'
}
