// Generates request lines from decisions, a list of numbers. Each number makes one choice. The same decisions with other words
// make the same request with other names and values. Fewer and smaller decisions make a simpler request.
import { WORD, type Words } from './request-words.ts'

export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Parameter = readonly [name: string, value: string]

const COLUMNS = [WORD.key, WORD.name, WORD.data, WORD.text, WORD.owner, WORD.colour, WORD.free]
const RELATED: Readonly<Record<number, readonly number[]>> = {
  [WORD.owners]: [WORD.pets, WORD.pairs, WORD.visits, WORD.favourite],
  [WORD.pets]: [WORD.owners, WORD.chips],
  [WORD.chips]: [WORD.pets],
  [WORD.visits]: [WORD.owners, WORD.pairs, WORD.visits],
  [WORD.pairs]: [WORD.owners, WORD.visits],
}
const TABLES = [WORD.owners, WORD.pets, WORD.visits, WORD.pairs, WORD.chips]
const ROUTINES = [WORD.search, WORD.add, WORD.ping, WORD.many, WORD.whole]
const CASTS = [
  'text',
  'int',
  'double precision',
  'int8$$',
  '$$',
  ' $1 ',
  '1$$',
  'Größe_$1',
  'a  $b',
]
const OPERATORS = ['eq', 'neq', 'gt', 'like', 'ilike', 'match', 'cs', 'ov', 'adj', 'isdistinct']
const QUANTIFIED = ['eq(any)', 'like(all)', 'gte(any)', 'imatch(all)']
const SEARCHES = ['fts', 'plfts(english)', 'wfts(b d)', 'phfts($$)']
const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min']
const PREFERENCES = [
  'return=representation',
  'return=headers-only',
  'return=minimal',
  'count=exact',
  'count=planned',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'missing=default',
  'handling=strict',
  'max-affected=3',
  "timezone='--",
  'tx=rollback',
]
const ACCEPTS = [
  '*/*',
  'text/csv',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.array;nulls=stripped, */*;q=0.1',
  'application/vnd.pgrst.plan+json;for="text/csv";options=analyze|verbose',
  'application/json;q=x, image/png',
]

/** Builds the parts of a request from decisions and words. */
class Builder {
  readonly #decisions: readonly number[]
  readonly #word: Words
  #next = 0

  constructor(decisions: readonly number[], word: Words) {
    this.#decisions = decisions
    this.#word = word
  }

  /** Returns the next decision as a number below `count`. Returns 0, the simplest choice, when no decision is left. */
  below(count: number): number {
    return (this.#decisions[this.#next++] ?? 0) % count
  }

  isLucky(oneIn: number): boolean {
    return this.below(oneIn) === oneIn - 1
  }

  one<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }

  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  word(index: number): string {
    return this.#word(index)
  }

  freeWord(): string {
    return this.#word(WORD.free + this.below(24))
  }

  name(index: number): string {
    return quotedName(this.#word(index))
  }

  column(): string {
    const name = this.name(this.one(COLUMNS))
    return this.isLucky(5) ? name + this.jsonPath() : name
  }

  jsonPath(): string {
    const steps = 1 + this.below(2)
    const arrow = () => (this.isLucky(2) ? '->>' : '->')
    const key = () => (this.isLucky(3) ? String(this.below(9) - 4) : quotedName(this.freeWord()))
    return Array.from({ length: steps }, () => arrow() + key()).join('')
  }

  expression(isWhole: boolean): string {
    const value = () => (isWhole ? this.freeWord() : quotedName(this.freeWord()))
    const not = this.isLucky(5) ? 'not.' : ''
    switch (this.below(6)) {
      case 1:
        return `${not}in.(${[value(), ...this.some(3, value)].map(isWhole ? quotedName : same).join(',')})`
      case 2:
        return `${not}is.${this.one(['null', 'NOT_null', 'true', 'unknown'])}`
      case 3:
        return `${not}${this.one(QUANTIFIED)}.${isWhole ? `{${value()}}` : '{1,2}'}`
      case 4:
        return `${not}${this.one(SEARCHES)}.${value()}`
      default:
        return `${not}${this.one(OPERATORS)}.${value()}`
    }
  }

  tree(depth: number): string {
    if (depth === 0 || !this.isLucky(3)) return `${this.column()}.${this.expression(false)}`
    return `${this.one(['and', 'or', 'not.and', 'not.or'])}${this.group(depth - 1)}`
  }

  group(depth: number): string {
    const members = [this.tree(depth), ...this.some(2, () => this.tree(depth))]
    return `(${members.join(',')})`
  }
}

/** Generates a well-formed request. */
export function requestLine(decisions: readonly number[], word: Words): RequestLine {
  const build = new Builder(decisions, word)
  const kind = build.below(8)
  const headers = headersOf(build)
  if (kind === 6 || kind === 7) return callLine(build, headers, kind === 6)
  const table = build.one(TABLES)
  const path = `/${encodeURIComponent(build.word(table))}`
  if (kind < 3) {
    const search = searchOf(readParameters(build, table))
    return { method: 'GET', path, search, headers, body: '' }
  }
  const method = build.one(['POST', 'PATCH', 'DELETE', 'POST', 'PUT'])
  const written = withBody(build, headers)
  const own = method === 'PUT' ? keyParameters(build, table) : writeParameters(build)
  const search = searchOf([...own, ...(method === 'PUT' ? [] : readParameters(build, table))])
  return { method, path, search, ...written }
}

function callLine(
  build: Builder,
  headers: Readonly<Record<string, string>>,
  isRead: boolean,
): RequestLine {
  const routine = build.one(ROUTINES)
  const path = `/rpc/${encodeURIComponent(build.word(routine))}`
  const names =
    routine === WORD.ping ? [] : [WORD.first, ...(build.isLucky(2) ? [WORD.second] : [])]
  const given = names.map((name): Parameter => [build.name(name), build.freeWord()])
  const parameters = build.isLucky(2) ? readParameters(build, WORD.owners) : []
  if (isRead)
    return { method: 'GET', path, search: searchOf([...given, ...parameters]), headers, body: '' }
  const body = JSON.stringify(
    Object.fromEntries(names.map((name) => [build.word(name), build.freeWord()])),
  )
  return { method: 'POST', path, search: searchOf(parameters), headers, body }
}

function readParameters(build: Builder, table: number): readonly Parameter[] {
  const embeds: string[] = []
  const select = selectOf(build, table, 2, '', embeds)
  const at = () => (build.isLucky(3) ? (embeds[build.below(embeds.length || 1)] ?? '') : '')
  return [
    ...(select === '' ? [] : [['select', select] as const]),
    ...build.some(2, (): Parameter => [at() + build.column(), build.expression(true)]),
    ...build.some(
      1,
      (): Parameter => [`${at()}${build.one(['or', 'and', 'not.or'])}`, build.group(2)],
    ),
    ...build.some(1, (): Parameter => [`${at()}order`, orderOf(build, embeds)]),
    ...build.some(1, (): Parameter => [`${at()}limit`, String(build.below(50))]),
    ...build.some(1, (): Parameter => [`${at()}offset`, String(build.below(50))]),
  ]
}

function selectOf(
  build: Builder,
  table: number,
  depth: number,
  prefix: string,
  embeds: string[],
): string {
  return build
    .some(3, () => {
      if (depth === 0 || !build.isLucky(3)) return selectedField(build)
      const target = build.one(RELATED[table] ?? [table])
      const alias = build.isLucky(3) ? quotedName(build.freeWord()) : undefined
      const path = `${prefix}${alias ?? build.name(target)}.`
      const start = alias === undefined ? (build.isLucky(4) ? '...' : '') : `${alias}:`
      const join = build.one(['', '', '!inner', '!left'])
      embeds.push(path)
      const nested = target === WORD.favourite ? WORD.visits : target
      const inside = selectOf(build, nested, depth - 1, path, embeds)
      return `${start}${build.name(target)}${join}(${inside})`
    })
    .join(',')
}

function selectedField(build: Builder): string {
  if (build.isLucky(8)) return '*'
  const alias = build.isLucky(3) ? `${quotedName(build.freeWord())}:` : ''
  if (build.isLucky(10)) return `${alias}count()`
  const cast = build.isLucky(4) ? `::${build.one(CASTS)}` : ''
  const aggregate = build.isLucky(8) ? `.${build.one(AGGREGATES)}()::${build.one(CASTS)}` : ''
  return alias + build.column() + cast + aggregate
}

function orderOf(build: Builder, embeds: readonly string[]): string {
  const term = () => {
    const column = build.column()
    const embed = build.isLucky(5) ? embeds[0] : undefined
    const subject = embed === undefined ? column : `${embed.slice(0, -1)}(${column})`
    return subject + build.one(['', '.asc', '.desc']) + build.one(['', '.nullsfirst', '.nullslast'])
  }
  return [term(), ...build.some(2, term)].join(',')
}

function keyParameters(build: Builder, table: number): readonly Parameter[] {
  const key = table === WORD.pairs ? [WORD.owner, WORD.visit] : [WORD.key]
  return key.map((index) => [build.word(index), `eq.${build.freeWord()}`])
}

function writeParameters(build: Builder): readonly Parameter[] {
  const names = () => [build.column(), ...build.some(2, () => build.column())].join(',')
  return [
    ...build.some(1, (): Parameter => ['columns', names()]),
    ...build.some(1, (): Parameter => ['on_conflict', names()]),
  ]
}

function withBody(build: Builder, headers: Readonly<Record<string, string>>) {
  const columns = COLUMNS.filter(() => build.isLucky(2)).filter((index) => index !== WORD.free)
  const row = () =>
    Object.fromEntries(columns.map((index) => [build.word(index), build.freeWord()]))
  if (build.isLucky(4)) {
    const line = (cells: readonly string[]) =>
      cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
    const rows = [columns.map((index) => build.word(index)), Object.values(row())]
    return { headers: { ...headers, 'content-type': 'text/csv' }, body: rows.map(line).join('\n') }
  }
  return { headers, body: JSON.stringify(build.isLucky(2) ? [row(), row()] : row()) }
}

function headersOf(build: Builder): Readonly<Record<string, string>> {
  const prefer = build.some(3, () => build.one(PREFERENCES))
  return {
    ...(prefer.length === 0 ? {} : { prefer: prefer.join(', ') }),
    ...(build.isLucky(4) ? { accept: build.one(ACCEPTS) } : {}),
    ...(build.isLucky(6) ? { range: build.one(['0-1', '5-', '9-2', 'x']) } : {}),
  }
}

function searchOf(parameters: readonly Parameter[]): string {
  return parameters
    .map(([name, value]) => `${encoded(name).replaceAll('=', '%3D')}=${encoded(value)}`)
    .join('&')
}

// Encodes only the characters that must be encoded, as a minimal client does.
function encoded(text: string): string {
  return text.replace(/[%&;+\0 ]/g, encodeURIComponent)
}

function quotedName(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

function same(text: string): string {
  return text
}
