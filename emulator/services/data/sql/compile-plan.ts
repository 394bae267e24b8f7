// Compiles a plan to one statement. A common table expression holds the rows; the single result row holds the body and all
// values for the response's head. So a request needs one statement, and the emulator never parses the body. Pure; never throws.
import { EMPTY, type Sql, sql, verbatim } from '../../../database/sql.ts'
import { type BodyHandler, type RowsPlan, SOURCE_NAME } from '../plan/plan.ts'
import type { MediaType } from '../request/media-type.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Routine } from '../schema-cache/schema-cache.ts'
import type { DataSettings } from '../settings.ts'
import { compileCall } from './call.ts'
import { quoted, sourceName } from './fragments.ts'
import { compileMutate, locationOf } from './mutate.ts'
import { compileCount, compileRead } from './read.ts'

/** Column indexes in the main statement's single result row. */
export const COLUMN = {
  total: 0,
  pageTotal: 1,
  location: 2,
  body: 3,
  responseHeaders: 4,
  responseStatus: 5,
  inserted: 6,
} as const

export interface CompiledPlan {
  /** Statement that runs before the main statement, in the same transaction. */
  readonly preRequest: Sql | undefined
  readonly main: Sql
  /** An EXPLAIN from which the planner's row estimate is read. */
  readonly explainCount: Sql | undefined
}

export function compilePlan(
  plan: RowsPlan,
  preferences: Preferences,
  settings: DataSettings,
): CompiledPlan {
  const main = compileMain(plan, preferences, settings)
  const { count } = preferences
  const isEstimating = plan.kind === 'read' && (count === 'planned' || count === 'estimated')
  return {
    preRequest: preRequestOf(settings),
    main: explained(plan.media, main),
    explainCount: isEstimating ? sql`explain (format json) ${compileCount(plan.read)}` : undefined,
  }
}

/** Compiles the call to the pre-request function. */
export function preRequestOf({ preRequest }: DataSettings): Sql | undefined {
  return preRequest && sql`select ${sourceName(preRequest)}()`
}

function compileMain(plan: RowsPlan, preferences: Preferences, settings: DataSettings): Sql {
  switch (plan.kind) {
    case 'read': {
      const count = countOf(plan, preferences, settings)
      return statement(plan, compileRead(plan.read), { ...count, rows: ROWS })
    }
    case 'mutate':
      return compileWrite(plan, preferences)
    case 'call': {
      const count = countOf(plan, preferences, settings)
      return statement(plan, compileCall(plan.call), {
        ...count,
        rows: compileRead(plan.read),
        ...(plan.routine.returns.isSet ? {} : { pageTotal: sql`1` }),
      })
    }
    default:
      return plan satisfies never
  }
}

const ROWS = sql`select * from pgrst_source`

function compileWrite(plan: Extract<RowsPlan, { kind: 'mutate' }>, preferences: Preferences): Sql {
  const { mutate } = plan
  const isInsert = mutate.kind === 'insert'
  const isUpsert =
    isInsert && (mutate.conditions.length > 0 || preferences.resolution === 'merge-duplicates')
  const isLocated = isInsert && preferences.representation === 'headers-only'
  return statement(plan, compileMutate(mutate), {
    // Selects no columns if the response has no body, because the caller may lack the privilege to read these columns.
    rows: plan.handler.kind === 'none' ? ROWS : compileRead(plan.read),
    ...(isLocated && mutate.keyColumns.length > 0
      ? { location: locationOf(mutate.keyColumns) }
      : {}),
    ...(isUpsert ? { inserted: setting('pgrst.inserted') } : {}),
  })
}

interface Parts {
  readonly rows: Sql
  readonly countSource?: Sql
  readonly total?: Sql
  readonly pageTotal?: Sql
  readonly location?: Sql
  readonly inserted?: Sql
}

function statement(plan: RowsPlan, source: Sql, parts: Parts): Sql {
  const routine = plan.kind === 'call' ? plan.routine : undefined
  return sql`with ${verbatim(SOURCE_NAME)} as (
${source}
)${parts.countSource ?? EMPTY}
select ${parts.total ?? sql`null::bigint`} as total,
${parts.pageTotal ?? sql`pg_catalog.count(_postgrest_t)`} as page_total,
${parts.location ?? sql`null::text`} as location,
${compileBody(plan.handler, routine)} as body,
${setting('response.headers')} as response_headers,
${setting('response.status')} as response_status,
${parts.inserted ?? sql`null::text`} as inserted
from (
${parts.rows}
) _postgrest_t`
}

function countOf(
  plan: RowsPlan,
  { count }: Preferences,
  { maxRows }: DataSettings,
): Pick<Parts, 'countSource' | 'total'> {
  if (count !== 'exact' && count !== 'estimated') return {}
  // Counts up to one row more than the limit, to detect that there are more rows.
  const isBounded = plan.kind === 'read' && count === 'estimated' && maxRows !== undefined
  const bound = isBounded ? sql` limit ${verbatim(String(maxRows + 1))}` : EMPTY
  return {
    countSource: sql`, pgrst_source_count as (${compileCount(plan.read)}${bound})`,
    total: sql`(select pg_catalog.count(*) from pgrst_source_count)`,
  }
}

// Once a session has used a custom setting, its value resets to an empty text, not to null.
function setting(name: 'response.headers' | 'response.status' | 'pgrst.inserted'): Sql {
  return sql`nullif(current_setting(${verbatim(`'${name}'`)}, true), '')`
}

function explained(media: MediaType, main: Sql): Sql {
  if (media.kind !== 'plan') return main
  const options = [`format ${media.format}`, ...media.options].join(', ')
  return sql`explain (${verbatim(options)}) ${main}`
}

// Compiles the expression that builds the response body from the rows in Postgres: JSON, a single object, CSV, or a tenant's own
// function (PostgREST, "Media Type Handlers"). Pure; never throws.

/** Compiles the body: one aggregate over the statement's rows, whose alias is `_postgrest_t`. */
function compileBody(handler: BodyHandler, routine: Routine | undefined): Sql {
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
