// Compiles the expression that builds the response body from the rows in Postgres: JSON, a single object, CSV, or a tenant's own
// function (PostgREST, "Media Type Handlers"). Pure; never throws.
import { type Sql, sql } from '../../../database/sql.ts'
import { type BodyHandler, SOURCE_NAME } from '../plan/plan.ts'
import type { Routine } from '../schema-cache/schema-cache.ts'
import { quoted, sourceName } from './fragments.ts'

/** Compiles an aggregate over the rows of `_postgrest_t`. */
export function compileBody(handler: BodyHandler, routine: Routine | undefined): Sql {
  switch (handler.kind) {
    case 'json':
      return jsonOf(handler.isStripped, routine)
    case 'singleJson':
      return first(oneOf(routine), handler.isStripped)
    case 'csv':
      return CSV
    case 'geojson':
      return handler.hasGeometry
        ? sql`json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json), '[]'))`
        : sql`'{"type" : "FeatureCollection", "features" : []}'`
    case 'custom': {
      const { target } = handler
      const name = sourceName(handler.routine)
      if (isScalar(routine)) return sql`${name}(_postgrest_t.pgrst_scalar)`
      return target === undefined
        ? sql`${name}(_postgrest_t)`
        : sql`${name}(_postgrest_t::${sourceName(target)})`
    }
    case 'none':
      return sql`''::text`
    default:
      return handler satisfies never
  }
}

// If a function returns a single value, the body is this value and not an array.
function jsonOf(isStripped: boolean, routine: Routine | undefined): Sql {
  if (routine !== undefined && !routine.returns.isSet) return first(rows(routine), isStripped)
  const list = sql`json_agg(${rows(routine)})`
  return sql`coalesce(${stripped(list, isStripped)}, '[]')`
}

function first(value: Sql, isStripped: boolean): Sql {
  return sql`coalesce(${stripped(sql`json_agg(${value})->0`, isStripped)}, 'null')`
}

function rows(routine: Routine | undefined): Sql {
  return routine?.returns.kind === 'scalar' ? sql`_postgrest_t.pgrst_scalar` : sql`_postgrest_t`
}

// A row of a set of scalars becomes an object in the single object format.
function oneOf(routine: Routine | undefined): Sql {
  return isScalar(routine) ? rows(routine) : sql`_postgrest_t`
}

function isScalar(routine: Routine | undefined): boolean {
  return routine !== undefined && routine.returns.kind === 'scalar' && !routine.returns.isSet
}

function stripped(value: Sql, isStripped: boolean): Sql {
  return isStripped ? sql`json_strip_nulls(${value})` : value
}

// Postgres prints a row as CSV between parentheses, and `substring` removes these.
const CSV = sql`(
select coalesce(string_agg(header.name, ','), '')
from (
  select json_object_keys(sample.row)::text as name
  from (select row_to_json(one) as row from ${quoted(SOURCE_NAME)} as one limit 1) as sample
) as header
) || E'\n' || coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\n'), '')`
