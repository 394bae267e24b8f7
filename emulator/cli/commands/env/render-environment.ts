// Renders environment variables for a `.env` file, a shell, GitHub Actions or a program. Pure.
import { EmulatorError } from '../../../core/errors.ts'

export const ENVIRONMENT_FORMATS = ['dotenv', 'json', 'shell', 'github'] as const
export type EnvironmentFormat = (typeof ENVIRONMENT_FORMATS)[number]

export class EnvironmentError extends EmulatorError {
  override readonly code: 'unwritable_value' | 'unwritable_file' | 'wrong_prefix'

  constructor(code: EnvironmentError['code'], message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.code = code
  }
}

/** Values that need no quotes in any of the formats. */
const PLAIN = /^[\w.:/@%+=,-]*$/

/** Returns one line for each variable, or one JSON object. @throws {EnvironmentError} when the format cannot hold a value */
export function renderEnvironment(
  settings: Readonly<Record<string, string>>,
  format: EnvironmentFormat,
): string {
  if (format === 'json') return `${JSON.stringify(settings, null, 2)}\n`
  return Object.entries(settings)
    .map(([name, value]) => `${LINE[format](name, value)}\n`)
    .join('')
}

/** Workflow commands that hide the secrets in the log of GitHub Actions (its documentation, "Workflow commands"). */
export function maskCommands(settings: Readonly<Record<string, string>>): string {
  return secretsIn(settings)
    .map((value) => `::add-mask::${value}\n`)
    .join('')
}

// The variable of all tenants is a JSON object with their keys.
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

// A shell and the usual libraries agree on single quotes only, and inside these nothing can be escaped.
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
