// Parses SQL of a project's owner with Postgres's own parser (libpg-query), which is loaded on first use. The parser counts
// bytes; this module converts its offsets into JavaScript string indexes.
import { createRequire } from 'node:module'

/** A node of the parse tree: an object with its kind as the only key and its fields as the value. */
export type TreeFields = Readonly<Record<string, unknown>>

export interface ParsedStatement {
  /** e.g. `SelectStmt`. */
  readonly kind: string
  readonly fields: TreeFields
  /** The string indexes of the statement's text, without its semicolon. */
  readonly start: number
  readonly end: number
}

export interface Token {
  readonly text: string
  readonly isString: boolean
}

export interface SqlParser {
  /** @throws {SqlSyntaxError} */
  parse(text: string): readonly ParsedStatement[]
  /** Splits text into tokens without comments. Returns no tokens when the text cannot be scanned. */
  tokens(text: string): readonly Token[]
  /** Returns the string index of a byte offset of the parse tree. */
  indexOf(text: string, byteOffset: number): number
}

/** Postgres cannot parse the text at `index`. */
export class SqlSyntaxError extends Error {
  override readonly name = 'SqlSyntaxError'
  /** 42601, or 54001 for text nested too deeply. */
  readonly sqlState: string
  readonly index: number | undefined

  constructor(sqlState: string, message: string, index?: number) {
    super(message)
    this.sqlState = sqlState
    this.index = index
  }
}

interface ForeignParser {
  loadModule(): Promise<void>
  parseSync(text: string): { stmts?: readonly ForeignStatement[] }
  scanSync(text: string): { tokens: readonly { text: string; tokenName: string }[] }
}

interface ForeignStatement {
  readonly stmt: Readonly<Record<string, TreeFields>>
  readonly stmt_location?: number
  readonly stmt_len?: number
}

let loading: Promise<SqlParser> | undefined

/** Loads the parser; the first call reads its WebAssembly file. */
export function loadSqlParser(): Promise<SqlParser> {
  loading ??= load()
  return loading
}

async function load(): Promise<SqlParser> {
  const foreign = createRequire(import.meta.url)('libpg-query') as ForeignParser
  await foreign.loadModule()
  return {
    parse: (text) => (text.trim() === '' ? [] : parseWith(foreign, text)),
    tokens: (text) => tokensWith(foreign, text),
    indexOf,
  }
}

function parseWith(foreign: ForeignParser, text: string): readonly ParsedStatement[] {
  const { stmts = [] } = attempt(foreign, text)
  return stmts.flatMap(({ stmt, stmt_location: from = 0, stmt_len: length }) => {
    const [entry] = Object.entries(stmt)
    if (entry === undefined) return []
    const [kind, fields] = entry
    const end = length === undefined ? text.length : indexOf(text, from + length)
    return [{ kind, fields, start: indexOf(text, from), end }]
  })
}

function attempt(foreign: ForeignParser, text: string): ReturnType<ForeignParser['parseSync']> {
  try {
    return foreign.parseSync(text)
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { cursorPosition?: number } }
    // This parser has a smaller stack than Postgres, so it fails on text that Postgres could still parse.
    if (sqlDetails === undefined || message.startsWith('memory exhausted'))
      throw new SqlSyntaxError('54001', 'stack depth limit exceeded')
    const position = sqlDetails.cursorPosition ?? -1
    throw new SqlSyntaxError(
      '42601',
      message,
      position < 0 ? undefined : indexOfCharacter(text, position),
    )
  }
}

function tokensWith(foreign: ForeignParser, text: string): readonly Token[] {
  try {
    return foreign
      .scanSync(text)
      .tokens.filter(({ tokenName }) => !tokenName.endsWith('COMMENT'))
      .map((token) => ({ text: token.text, isString: token.tokenName.endsWith('SCONST') }))
  } catch {
    return []
  }
}

interface Ruler {
  readonly text: string
  /** Plain ASCII text needs no map, because each character is one byte. */
  readonly bytes: Buffer | undefined
  byteOffset: number
  index: number
}

let ruler: Ruler | undefined

// A script has thousands of offsets, each close to the previous one. The map therefore decodes only the text between two
// offsets.
function indexOf(text: string, byteOffset: number): number {
  if (ruler?.text !== text) ruler = rulerFor(text)
  const { bytes } = ruler
  if (bytes === undefined) return byteOffset
  const isAhead = byteOffset >= ruler.byteOffset
  const [from, to] = isAhead ? [ruler.byteOffset, byteOffset] : [byteOffset, ruler.byteOffset]
  ruler.index += bytes.toString('utf8', from, to).length * (isAhead ? 1 : -1)
  ruler.byteOffset = byteOffset
  return ruler.index
}

function rulerFor(text: string): Ruler {
  const isPlain = Buffer.byteLength(text) === text.length
  return { text, bytes: isPlain ? undefined : Buffer.from(text), byteOffset: 0, index: 0 }
}

/** Returns the string index of a 0-based character. A character outside the BMP takes two indexes. */
export function indexOfCharacter(text: string, character: number): number {
  let index = 0
  for (let seen = 0; seen < character && index < text.length; seen++)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return index
}

/** Returns the 1-based line of a string index. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Returns the string index of a statement's first word, behind white space and comments. */
export function firstWordOf(
  text: string,
  { end, start }: Pick<ParsedStatement, 'start' | 'end'>,
): number {
  let at = start
  for (;;) {
    const rest = text.slice(at, end)
    const length = /^(\s+|--[^\n]*)+/.exec(rest)?.[0].length ?? blockComment(rest)
    if (length === 0) return at
    at += length
  }
}

// Block comments of Postgres can be nested.
function blockComment(text: string): number {
  if (!text.startsWith('/*')) return 0
  let depth = 0
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return index + mark.length
  }
  return text.length
}
