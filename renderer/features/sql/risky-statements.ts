// Finds statements in a script that delete data permanently, so that the console can ask before it runs them. Also finds
// statements that change the structure, which can become a migration step. Pure.
import { sqlTokens } from '../../parts/sql-syntax.ts'

export interface Risk {
  /** What the statement does, in one sentence for each thing that it removes. */
  readonly sentence: string
  /** The statement's SQL, shortened. */
  readonly sql: string
}

const SHOWN = 160

/** Returns risks in the order of the script. The bodies of functions and DO blocks are not examined. */
export function risksOf(sql: string): readonly Risk[] {
  return statementsOf(sql).flatMap(({ words, text }) => {
    const sentence = sentenceOf(words)
    return sentence === undefined ? [] : [{ sentence, sql: shortened(text) }]
  })
}

const STRUCTURAL: ReadonlySet<string> = new Set([
  ...['create', 'alter', 'drop', 'grant', 'revoke', 'comment'],
])

/**
 * Returns the beginning of the first statement that changes structure, policies or grants; `undefined` when there is no such
 * statement.
 */
export function structureChange(sql: string): string | undefined {
  const found = statementsOf(sql).find(({ words: [first = ''] }) => STRUCTURAL.has(first))
  return found?.text.trim().replaceAll(/\s+/g, ' ').slice(0, TITLE)
}

const TITLE = 60

interface Statement {
  readonly words: readonly string[]
  readonly text: string
}

function statementsOf(sql: string): readonly Statement[] {
  const statements: { words: string[]; text: string }[] = [{ words: [], text: '' }]
  for (const { kind, text } of sqlTokens(sql)) {
    const last = statements.at(-1)
    if (last === undefined) break
    if (text === ';') {
      statements.push({ words: [], text: '' })
      continue
    }
    last.text += text
    if (kind === 'keyword' || kind === 'name' || text === '.')
      last.words.push(kind === 'name' && text.startsWith('"') ? text : text.toLowerCase())
  }
  return statements
}

function sentenceOf(words: readonly string[]): string | undefined {
  const [first = '', second = ''] = words
  const hasWhere = words.includes('where')
  switch (first) {
    case 'drop':
      return `Drops the ${second} ${nameAfter(words, 'drop', DROP_NOISE)}.`
    case 'truncate':
      return `Deletes every row of ${nameAfter(words, 'truncate')}.`
    case 'alter':
      return words.includes('drop') && second === 'table' ? dropsOfTable(words) : undefined
    case 'with':
    case 'delete':
    case 'update':
      if (hasWhere) return undefined
      if (words.includes('delete')) return `Deletes every row of ${nameAfter(words, 'delete')}.`
      return first === 'update' ? `Changes every row of ${nameAfter(words, 'update')}.` : undefined
    default:
      return undefined
  }
}

// One sentence for each DROP action of an ALTER TABLE statement.
function dropsOfTable(words: readonly string[]): string {
  const table = nameAfter(words, 'table')
  return words
    .flatMap((word, at) => {
      if (word !== 'drop') return []
      const rest = words.slice(at)
      const kind = COLUMN_PROPERTIES.get(rest[1] ?? '')
      if (kind !== undefined) return [`Drops ${kind} of a column of the table ${table}.`]
      return rest[1] === 'constraint'
        ? [`Drops the constraint ${nameAfter(rest, 'drop', PART_NOISE)} of the table ${table}.`]
        : [
            `Drops the column ${nameAfter(rest, 'drop', PART_NOISE)} of the table ${table} with its data.`,
          ]
    })
    .join(' ')
}

/** Names what `ALTER COLUMN … DROP …` removes, by the word after DROP. */
const COLUMN_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['default', 'the default'],
  ['not', 'the NOT NULL constraint'],
  ['identity', 'the identity'],
  ['expression', 'the generation expression'],
])

const PART_NOISE: ReadonlySet<string> = new Set(['column', 'constraint', 'if', 'exists'])

const NOISE: ReadonlySet<string> = new Set([
  'from',
  'only',
  'table',
  'if',
  'exists',
  'concurrently',
])
const DROP_NOISE: ReadonlySet<string> = new Set([
  ...NOISE,
  ...['view', 'materialized', 'function', 'index', 'policy', 'type', 'sequence', 'trigger'],
  ...['schema', 'procedure', 'domain', 'extension', 'owned'],
])

function nameAfter(words: readonly string[], verb: string, noise = NOISE): string {
  const rest = words.slice(words.indexOf(verb) + 1)
  const start = rest.findIndex((word) => !noise.has(word))
  if (start === -1) return 'something'
  return rest[start + 1] === '.'
    ? rest.slice(start, start + 3).join('')
    : (rest[start] ?? 'something')
}

function shortened(text: string): string {
  const bare = text.trim().replaceAll(/\s+/g, ' ')
  return bare.length > SHOWN ? `${bare.slice(0, SHOWN)}…` : bare
}
