// Reads the settings in a client's startup packet. The packet's parameter `options` is a command line with further settings
// (PostgreSQL documentation, "StartupMessage").
import { PostgresRefusal } from './postgres-refusal.ts'

const NOT_SETTINGS = new Set(['user', 'database', 'options', 'replication'])
// The backend converts no encodings. Therefore the port accepts only UTF-8, under all names that Postgres has for it.
const UTF8 = /^'?(utf-?8|unicode|auto)'?$/i

/** Returns settings by name, in the client's order. @throws {PostgresRefusal} */
export function sessionSettings(
  parameters: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const replication = parameters.get('replication')
  if (replication !== undefined && !/^(false|off|no|0)$/i.test(replication))
    throw new PostgresRefusal('0A000', 'replication is not available here')
  const settings: Record<string, string> = {}
  for (const [name, value] of parameters)
    if (!(NOT_SETTINGS.has(name) || name.startsWith('_pq_.'))) settings[name] = value
  for (const [name, value] of optionsOf(parameters.get('options') ?? '')) settings[name] = value
  const encoding = settings['client_encoding']
  if (encoding !== undefined && UTF8.test(encoding)) settings['client_encoding'] = 'UTF8'
  return settings
}

// Accepts `-c name=value`, `-cname=value` and `--name=value`. A backslash escapes the next character.
function optionsOf(options: string): readonly (readonly [name: string, value: string])[] {
  const words = (options.match(/(?:\\.|[^\s\\])+/gs) ?? []).map((word) =>
    word.replace(/\\(.)/gs, '$1'),
  )
  const found: [string, string][] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const assignment = word === '-c' ? (words[++at] ?? '') : word.replace(/^(-c|--)/, '')
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(assignment) ?? []
    if (name === undefined || value === undefined)
      throw new PostgresRefusal(
        '08P01',
        `invalid command-line argument for server process: ${word}`,
      )
    found.push([name.replaceAll('-', '_'), value])
  }
  return found
}
