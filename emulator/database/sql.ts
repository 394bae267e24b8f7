// The only way to build SQL. A template literal becomes SQL text and parameters. The engine's types accept no plain strings.
// Pure.
import { quoteIdentifier, quoteLiteral } from '../core/sql-quoting.ts'

declare const brand: unique symbol

/** A statement: text with `$n` placeholders, and their values in Postgres's text format. */
export interface Sql {
  readonly [brand]: 'Sql'
  readonly text: string
  readonly params: readonly SqlParam[]
}

/** A value for a `$n` placeholder; `null` is SQL's null. */
export type SqlParam = string | null

/** A script: several statements in one text without parameters, as the simple query protocol takes them. */
export interface SqlScript {
  readonly [brand]: 'SqlScript'
  readonly text: string
}

/** A value in the `sql` template. Every value except a fragment becomes a parameter. */
export type SqlHole = Sql | string | number | boolean | bigint | null

class Param {
  readonly value: SqlParam

  constructor(value: SqlParam) {
    this.value = value
  }
}

type Piece = string | Param | Fragment

interface Rendered {
  readonly text: string
  readonly params: readonly SqlParam[]
}

// Fragments nest deeply, so text and parameters are assembled only once, at the first access.
class Fragment {
  readonly #pieces: readonly Piece[] | undefined
  #rendered: Rendered | undefined

  constructor(pieces: readonly Piece[] | undefined, rendered?: Rendered) {
    this.#pieces = pieces
    this.#rendered = rendered
  }

  get text(): string {
    return this.#render().text
  }

  get params(): readonly SqlParam[] {
    return this.#render().params
  }

  #render(): Rendered {
    if (this.#rendered === undefined) {
      const params: SqlParam[] = []
      const text = this.#write(params)
      this.#rendered = { text, params }
    }
    return this.#rendered
  }

  #write(params: SqlParam[]): string {
    if (this.#pieces === undefined) throw new TypeError('a bound statement is no part of another')
    let text = ''
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') text += piece
      else if (piece instanceof Param) text += `$${params.push(piece.value)}`
      else text += piece.#write(params)
    }
    return text
  }
}

function fragmentOf(pieces: readonly Piece[]): Sql {
  return new Fragment(pieces) as unknown as Sql
}

function pieceOf(hole: SqlHole): Piece {
  if (hole instanceof Fragment) return hole
  return new Param(hole === null ? null : String(hole))
}

/** Builds a statement or a fragment. Fragments nest; every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...holes: readonly SqlHole[]): Sql {
  const pieces: Piece[] = []
  for (const [index, text] of texts.entries()) {
    if (text !== '') pieces.push(text)
    const hole = holes[index]
    if (hole !== undefined) pieces.push(pieceOf(hole))
  }
  return fragmentOf(pieces)
}

/**
 * Returns the same statement with other parameter values. The result cannot be a part of another statement.
 * @throws {TypeError} when the number of values differs
 */
export function bind(statement: Sql, params: readonly SqlParam[]): Sql {
  const { text } = statement
  if (params.length !== statement.params.length)
    throw new TypeError(
      `The statement takes ${statement.params.length} values, but the caller passed ${params.length}`,
    )
  return new Fragment(undefined, { text, params }) as unknown as Sql
}

/** Quotes an identifier; several names make a qualified one. */
export function identifier(...names: readonly string[]): Sql {
  return verbatim(names.map(quoteIdentifier).join('.'))
}

/** Quotes a literal, for places where Postgres takes no parameter (DDL). */
export function literal(value: string): Sql {
  return verbatim(quoteLiteral(value))
}

export function join(fragments: readonly Sql[], separator = ', '): Sql {
  const pieces: Piece[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) pieces.push(separator)
    pieces.push(pieceOf(fragment))
  }
  return fragmentOf(pieces)
}

export const EMPTY: Sql = fragmentOf([])

/** SQL text from a constant, a `.sql` file or the catalogue's `pg_get_…def` functions. Do not pass a caller's text. */
export function verbatim(text: string): Sql {
  return fragmentOf([text])
}

/**
 * Joins statements into one script.
 * @throws {TypeError} when a statement has parameters: a script cannot carry any.
 */
export function script(statements: readonly Sql[]): SqlScript {
  for (const statement of statements)
    if (statement.params.length > 0)
      throw new TypeError('a script takes no parameters; use literal()')
  return { text: statements.map((statement) => statement.text).join(';\n') } as SqlScript
}

const READ_ONLY = 'set transaction read only;\n'

/** Joins statements into one script in which Postgres refuses writes. The script's last result is that of the last statement. */
export function readScript(statements: readonly Sql[]): SqlScript {
  return { text: READ_ONLY + script(statements).text } as SqlScript
}

export function isReadScript({ text }: SqlScript): boolean {
  return text.startsWith(READ_ONLY)
}

/** SQL that the tenant's owner wrote (`db/exec`, the console). Such SQL runs only as a tenant role, never as platform work. */
export interface TenantScript {
  readonly [brand]: 'TenantScript'
  readonly text: string
}

/** Marks text as SQL of the tenant's owner. */
export function tenantScript(text: string): TenantScript {
  return { text } as TenantScript
}

export { quoteIdentifier, quoteLiteral }
