// The only way to build SQL in the project. A template literal becomes text and parameters; nothing else does,
// so a raw string reaching the engine does not type-check. Pure.

declare const brand: unique symbol

/** One statement: text with `$n` places and their values in Postgres's text format. */
export interface Sql {
  readonly [brand]: 'Sql'
  readonly text: string
  readonly params: readonly SqlParam[]
}

/** A value for a `$n` place; `null` is SQL's null. */
export type SqlParam = string | null

/** Several statements in one text, without parameters: what the simple query protocol takes. */
export interface SqlScript {
  readonly [brand]: 'SqlScript'
  readonly text: string
}

/** What may stand in a hole of the `sql` template. Everything but a fragment becomes a parameter. */
export type SqlHole = Sql | string | number | boolean | bigint | null

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'param'; readonly value: SqlParam }

const parts = new WeakMap<Sql, readonly Part[]>()

function fromParts(list: readonly Part[]): Sql {
  let text = ''
  const params: SqlParam[] = []
  for (const part of list) {
    if (part.kind === 'text') text += part.text
    else text += `$${params.push(part.value)}`
  }
  const fragment = { text, params } as unknown as Sql
  parts.set(fragment, list)
  return fragment
}

function partsOf(fragment: Sql): readonly Part[] {
  return parts.get(fragment) ?? []
}

function holeParts(hole: SqlHole): readonly Part[] {
  if (hole !== null && typeof hole === 'object') return partsOf(hole)
  return [{ kind: 'param', value: hole === null ? null : String(hole) }]
}

/** Builds a statement or a fragment of one; fragments nest, every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...holes: readonly SqlHole[]): Sql {
  return fromParts(
    texts.flatMap((text, index): readonly Part[] => {
      const hole = holes[index]
      return [
        { kind: 'text', text },
        ...(index < holes.length && hole !== undefined ? holeParts(hole) : []),
      ]
    }),
  )
}

/** A quoted identifier, or a qualified one when several names are given. */
export function identifier(...names: readonly string[]): Sql {
  return verbatim(names.map(quoteIdentifier).join('.'))
}

/** A quoted literal inside the text, for places where Postgres takes no parameter (DDL). */
export function literal(value: string): Sql {
  return verbatim(quoteLiteral(value))
}

/** Joins fragments. */
export function join(fragments: readonly Sql[], separator = ', '): Sql {
  return fromParts(
    fragments.flatMap((fragment, index) => [
      ...(index === 0 ? [] : [{ kind: 'text', text: separator } as const]),
      ...partsOf(fragment),
    ]),
  )
}

/** Nothing at all. */
export const EMPTY: Sql = fromParts([])

/** SQL text of our own, from a constant, a `.sql` file or the catalogue's `pg_get_…def` functions. Never a caller's words. */
export function verbatim(text: string): Sql {
  return fromParts([{ kind: 'text', text }])
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

/** SQL written by the tenant's owner (`db/exec`, the console): runs only as a tenant role, never as platform work. */
export interface TenantScript {
  readonly [brand]: 'TenantScript'
  readonly text: string
}

/** Marks text as the tenant's own words. */
export function tenantScript(text: string): TenantScript {
  return { text } as TenantScript
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteLiteral(value: string): string {
  const escaped = value.replaceAll("'", "''")
  return value.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}
