// Compiles a JSON body to rows with the types of the table's columns. The body is a single parameter, and only Postgres parses
// it. Pure.
import { EMPTY, join, literal, type Sql, sql, verbatim } from '../../../database/sql.ts'
import { quoted } from './fragments.ts'

/** A member of the body's objects. */
export interface BodyField {
  readonly name: string
  /** The type as SQL text, from the catalogue. */
  readonly type: string
  readonly transform: string | undefined
  readonly defaultExpression: string | undefined
}

export interface BodyOptions {
  /** Gives a missing key the column's default instead of null. */
  readonly appliesDefaults: boolean
  /** Takes only the first row of the body. */
  readonly isSingle: boolean
}

/** Compiles `from …`, which names the body's rows `pgrst_body`. */
export function fromBody(body: string, fields: readonly BodyField[], options: BodyOptions): Sql {
  const isObject = /^[ \t\r\n]*\{/.test(body)
  const { appliesDefaults } = options
  const type = appliesDefaults ? sql`jsonb` : sql`json`
  const payload = sql`from (select ${body}::${type} as json_data) pgrst_payload`
  const withDefaults = appliesDefaults ? defaulted(fields, isObject) : EMPTY
  const value = appliesDefaults ? sql`pgrst_defaults.val` : sql`pgrst_payload.json_data`
  const rows = rowsOf(value, fields, { isObject, isBinary: appliesDefaults })
  const limit = options.isSingle ? sql` limit 1` : EMPTY
  const columns = join(fields.map(parsed))
  return sql`${payload}${withDefaults}, lateral (select ${columns} from ${rows}${limit}) pgrst_body`
}

function parsed({ name, transform }: BodyField): Sql {
  const column = quoted(name)
  return transform === undefined ? column : sql`${verbatim(transform)}(${column}) as ${column}`
}

function defaulted(fields: readonly BodyField[], isObject: boolean): Sql {
  const defaults = fields.flatMap(({ name, defaultExpression }) =>
    defaultExpression === undefined
      ? []
      : [sql`${nameLiteral(name)}, ${verbatim(defaultExpression)}`],
  )
  const base = sql`jsonb_build_object(${join(defaults)})`
  return isObject
    ? sql`, lateral (select ${base} || pgrst_payload.json_data as val) pgrst_defaults`
    : sql`, lateral (select jsonb_agg(${base} || elem) as val from jsonb_array_elements(pgrst_payload.json_data) elem) pgrst_defaults`
}

function nameLiteral(name: string): Sql {
  return literal(name)
}

// If all objects are empty, the body still has rows, but no columns.
function rowsOf(
  value: Sql,
  fields: readonly BodyField[],
  { isObject, isBinary }: { isObject: boolean; isBinary: boolean },
): Sql {
  if (fields.length === 0) {
    if (isObject) return sql`(values (1)) as _`
    return isBinary
      ? sql`jsonb_array_elements(${value}) as _`
      : sql`json_array_elements(${value}) as _`
  }
  const typed = join(fields.map(({ name, type }) => sql`${quoted(name)} ${verbatim(type)}`))
  const reader = isObject ? sql`to_record` : sql`to_recordset`
  return sql`${isBinary ? sql`jsonb` : sql`json`}_${reader}(${value}) as _(${typed})`
}
