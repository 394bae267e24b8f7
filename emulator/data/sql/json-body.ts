// Compiles the rows of a JSON body with the types of their columns. The body is one parameter, which only Postgres parses.
// Pure.
import { EMPTY, join, literal, type Sql, sql, verbatim } from '../../database/sql.ts'
import { quoted } from './fragments.ts'

/** A value of the body. */
export interface BodyField {
  readonly name: string
  /** SQL text of the type, from the catalogue. */
  readonly type: string
  readonly transform: string | undefined
  readonly defaultExpression: string | undefined
}

export interface BodyOptions {
  /** A missing key gets the column's default instead of null. */
  readonly appliesDefaults: boolean
  /** Only the first row. */
  readonly isSingle: boolean
}

/** `from …` with the body's rows as `pgrst_body`. */
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

// A body of empty objects has rows but no columns.
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
