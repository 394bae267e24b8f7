// Parts of DDL statements that several objects share. Pure.
import type { SequenceOptions } from '../../catalog/sequences.ts'
import { quoteIdentifier, quoteLiteral } from '../../sql.ts'

/** Renders the catalogue's `name=value` pairs as `with (a='1', b='2')`, or as ''. */
export function withOptions(options: readonly string[] | undefined): string {
  return options === undefined || options.length === 0 ? '' : ` with (${optionList(options)})`
}

/** `a='1', b='2'`. The names are Postgres's own and need no quotes (`toast.autovacuum_enabled`). */
export function optionList(options: readonly string[]): string {
  return options
    .map((option) => {
      const end = option.indexOf('=')
      return `${option.slice(0, end)}=${quoteLiteral(option.slice(end + 1))}`
    })
    .join(', ')
}

export function collate(collation: string | undefined): string {
  return collation === undefined ? '' : ` collate ${collation}`
}

export function sequenceOptions(options: SequenceOptions): string {
  return `start with ${options.start} increment by ${options.increment} minvalue ${options.min} maxvalue ${options.max} cache ${options.cache} ${options.cycle ? '' : 'no '}cycle`
}

/** Renders a role in a grant or policy; `public` is a keyword. */
export function grantee(role: string): string {
  return role === 'public' ? 'public' : quoteIdentifier(role)
}

/** Renders options as `a = 1, b = x` for `create aggregate` and others; the values are SQL. */
export function definitionList(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')
}
