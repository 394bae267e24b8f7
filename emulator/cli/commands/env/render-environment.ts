// Renders environment variables for a `.env` file, a shell, GitHub Actions or a program. In a file that the user owns, only the
// lines of one block are replaced. Pure.
import { EmulatorError } from '../../../core/errors.ts'

export type EnvironmentFormat = 'dotenv' | 'json' | 'shell' | 'github'

/** Values of the variables by name. */
export type Settings = Readonly<Record<string, string>>

class EnvironmentError extends EmulatorError {
  override readonly code: 'unwritable_value' | 'unwritable_file' | 'wrong_prefix'

  constructor(code: EnvironmentError['code'], message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.code = code
  }
}

/** Values that need no quotes in any of the formats. */
const PLAIN = /^[\w.:/@%+=,-]*$/

/** Returns one line for each variable, or one JSON object. @throws {EnvironmentError} when the format cannot hold a value */
export function renderEnvironment(settings: Settings, format: EnvironmentFormat): string {
  if (format === 'json') return `${JSON.stringify(settings, null, 2)}\n`
  return Object.entries(settings)
    .map(([name, value]) => `${LINE[format](name, value)}\n`)
    .join('')
}

/** Returns commands that hide the secrets in the log of GitHub Actions (its documentation, "Workflow commands"). */
export function maskCommands(settings: Settings): string {
  return secretsIn(settings)
    .map((value) => `::add-mask::${value}\n`)
    .join('')
}

// The value of `…_TENANTS` is a JSON object that contains the keys of all tenants.
function secretsIn(settings: object): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return secretsIn(value)
    if (typeof value !== 'string') return []
    if (/_TENANTS$/.test(name)) return secretsIn(JSON.parse(value))
    return /_(KEY|PASSWORD|TOKEN|POSTGRES_URL)$/i.test(name) ? [value] : []
  })
}

const LINE: Readonly<
  Record<Exclude<EnvironmentFormat, 'json'>, (name: string, value: string) => string>
> = {
  dotenv: (name, value) => `${name}=${PLAIN.test(value) ? value : inDotenvQuotes(name, value)}`,
  shell: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  github: (name, value) => `${name}=${requireOneLine(name, value)}`,
}

// Shells and the usual libraries agree only on single quotes. Single quotes do not allow escapes.
function inDotenvQuotes(name: string, value: string): string {
  if (!requireOneLine(name, value).includes("'")) return `'${value}'`
  throw new EnvironmentError(
    'unwritable_value',
    `${name} contains a single quote, which a .env file cannot hold for every reader.`,
    'Choose --format shell or --format json.',
  )
}

function requireOneLine(name: string, value: string): string {
  if (!/[\r\n]/.test(value)) return value
  throw new EnvironmentError(
    'unwritable_value',
    `${name} has several lines, which this format cannot hold.`,
    'Choose --format shell or --format json.',
  )
}

/**
 * Returns the file's text with the block replaced, or added at its end.
 * @param label names the block, so that a file can have one for each prefix
 * @throws {EnvironmentError} when the block's first line exists, but its last line is missing
 */
export function withOwnBlock(text: string, label: string, lines: string): string {
  const [begin, end] = [`# >>> ${label}`, `# <<< ${label}`]
  const block = `${begin}\n# Changes between these two lines are replaced.\n${lines}${end}\n`
  const before = text.split(/(?<=\n)/)
  const from = before.findIndex((line) => line.trimEnd() === begin)
  if (from < 0) return `${withEmptyLine(text)}${block}`
  const to = before.findIndex((line, at) => at > from && line.trimEnd() === end)
  if (to < 0)
    throw new EnvironmentError(
      'unwritable_file',
      `The file has no line "${end}" after "${begin}".`,
      'Remove the rest of the block, or add the line after it.',
    )
  return [...before.slice(0, from), block, ...before.slice(to + 1)].join('')
}

function withEmptyLine(text: string): string {
  if (text === '') return ''
  return text.endsWith('\n') ? `${text}\n` : `${text}\n\n`
}
