// Parts of all statements: names, columns, fields, casts, parameters. Values are parameters without a declared type, so that
// Postgres infers it from what they are compared with. Pure.
import { EMPTY, identifier, join, type Sql, sql, verbatim } from '../../database/sql.ts'
import type { PlannedField, PlannedSelect, Source } from '../plan/plan.ts'
import type { Aggregate, JsonStep } from '../request/api-request.ts'
import type { QualifiedName } from '../settings.ts'

/** A quoted name, cut at the first NUL. */
export function quoted(name: string): Sql {
  const end = name.indexOf('\0')
  return identifier(end < 0 ? name : name.slice(0, end))
}

export function sourceName(source: Source | QualifiedName): Sql {
  if (source.schema === undefined || source.schema === '') return quoted(source.name)
  return sql`${quoted(source.schema)}.${quoted(source.name)}`
}

export function columnOf(source: Source, column: string): Sql {
  return column === '*'
    ? sql`${sourceName(source)}.*`
    : sql`${sourceName(source)}.${quoted(column)}`
}

/** The name without a schema, for aliases and common tables. */
export function local(name: string): Source {
  return { schema: undefined, name }
}

/** A field of the rows of `source`, before any conversion. */
export function fieldOf(source: Source, field: PlannedField): Sql {
  if (field.isWholeRow) return quoted(source.name)
  const column = columnOf(source, field.name)
  const value = withPath(column, field)
  if (field.textSearch === undefined) return value
  const { language } = field.textSearch
  return language === undefined
    ? sql`to_tsvector(${value})`
    : sql`to_tsvector(${language}, ${value})`
}

function withPath(column: Sql, field: PlannedField): Sql {
  if (field.path.length === 0) return column
  const start = field.toJson ? sql`to_jsonb(${column})` : column
  return field.path.reduce((value, step) => followed(value, step), start)
}

function followed(value: Sql, { arrow, operand }: JsonStep): Sql {
  const place = operand.kind === 'key' ? sql`${operand.key}` : sql`${operand.index}::int`
  return arrow === '->' ? sql`${value}->${place}` : sql`${value}->>${place}`
}

/** A field of the body. */
export function outputOf(source: Source, field: PlannedField): Sql {
  return converted(field, fieldOf(source, field))
}

/** The value with the field's conversion, if it has one. */
export function converted(field: PlannedField, value: Sql): Sql {
  // The catalogue printed the function's name.
  return field.transform === undefined ? value : sql`${verbatim(field.transform)}(${value})`
}

/** One member of a select list. */
export function selectedOf(source: Source, selected: PlannedSelect): Sql {
  const value = cast(outputOf(source, selected.field), selected.cast)
  return named(aggregated(value, selected.aggregate, selected.aggregateCast), selected.alias)
}

const FUNCTIONS: Readonly<Record<Aggregate, Sql>> = {
  sum: sql`sum`,
  avg: sql`avg`,
  count: sql`count`,
  max: sql`max`,
  min: sql`min`,
}

export function aggregated(
  value: Sql,
  aggregate: Aggregate | undefined,
  castTo: string | undefined,
): Sql {
  if (aggregate === undefined) return value
  return cast(sql`${FUNCTIONS[aggregate]}(${value})`, castTo)
}

export function named(value: Sql, alias: string | undefined): Sql {
  return alias === undefined ? value : sql`${value} as ${quoted(alias)}`
}

const TYPE_NAME = /^(?:[\p{L}_][\p{L}0-9_$]*|[0-9]+)(?: +(?:[\p{L}_][\p{L}0-9_$]*|[0-9]+))*$/u

// A type's name is not quoted, so that `int` and `bigint` keep their meaning. The grammar allows only letters, digits, spaces,
// `_` and `$`; a `$` at the start of a word would be a parameter or open a quote.
function cast(value: Sql, type: string | undefined): Sql {
  if (type === undefined) return value
  return TYPE_NAME.test(type)
    ? sql`cast(${value} as ${verbatim(type)})`
    : sql`cast(${value} as ${quoted(type)})`
}

/** `keyword` and the joined fragments; empty without fragments. */
export function clause(keyword: Sql, fragments: readonly Sql[], separator = ', '): Sql {
  return fragments.length === 0 ? EMPTY : sql`${keyword} ${join(fragments, separator)}`
}
