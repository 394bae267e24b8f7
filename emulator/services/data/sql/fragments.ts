// SQL fragments that all statements share: names, columns, fields, casts, parameters. Parameters have no declared type, so
// Postgres infers the type from the context. Pure.
import { EMPTY, identifier, join, type Sql, sql, verbatim } from '../../../database/sql.ts'
import type { PlannedField, PlannedSelect, Source } from '../plan/plan.ts'
import type { Aggregate, JsonStep } from '../request/api-request.ts'
import type { QualifiedName } from '../settings.ts'

/** Quotes a name. Cuts the name at the first NUL, which Postgres does not allow in a name. */
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

/** Returns the source for an alias or a common table expression, which has no schema. */
export function local(name: string): Source {
  return { schema: undefined, name }
}

/** Compiles a field of a row of `source`, without conversion. */
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

/** Compiles a field as the response body shows it, with conversion. */
export function outputOf(source: Source, field: PlannedField): Sql {
  return converted(field, fieldOf(source, field))
}

/** Applies the field's conversion function to the value, if the field has one. */
export function converted(field: PlannedField, value: Sql): Sql {
  // The function's name comes from the catalogue, already quoted.
  return field.transform === undefined ? value : sql`${verbatim(field.transform)}(${value})`
}

/** Compiles one entry of a select list. */
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

// Type names are not quoted, because quotes would change the meaning of `int` and `bigint`. The grammar allows only letters,
// digits, spaces, `_` and `$`. A `$` at the start of a word could start a parameter or a quoted text.
function cast(value: Sql, type: string | undefined): Sql {
  if (type === undefined) return value
  return TYPE_NAME.test(type)
    ? sql`cast(${value} as ${verbatim(type)})`
    : sql`cast(${value} as ${quoted(type)})`
}

/** Joins the fragments after `keyword`. Returns an empty fragment for an empty list. */
export function clause(keyword: Sql, fragments: readonly Sql[], separator = ', '): Sql {
  return fragments.length === 0 ? EMPTY : sql`${keyword} ${join(fragments, separator)}`
}
