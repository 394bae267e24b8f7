// Answers `/` with an OpenAPI document of the objects that the caller has privileges on (PostgREST, "OpenAPI").

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { Answer } from '../../../core/plain-http.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import { quoteIdentifier, type Sql, sql } from '../../../database/sql.ts'
import { DataError } from '../errors.ts'
import { runInTransaction } from '../execute.ts'
import type { ApiRequest, DataRequest } from '../request/api-request.ts'
import { type MediaType, nameOf } from '../request/media-type.ts'
import type { Routine, SchemaCache } from '../schema-cache/schema-cache.ts'
import type { DataSettings } from '../settings.ts'
import { preRequestOf } from '../sql/compile-plan.ts'
import { transactionSettings } from '../transaction-settings.ts'
import { type Described, openApiDocument } from './document.ts'

const MADE: readonly MediaType['kind'][] = ['any', 'json', 'openapi']

/** @throws {RefusedByDatabase | DataError} PGRST107 */
export async function describeSchema(
  engine: Engine,
  request: DataRequest,
  parsed: ApiRequest,
  cache: SchemaCache,
  isHead: boolean,
): Promise<Answer> {
  const { caller, settings } = request
  const { accepts, preferences, schema } = parsed
  if (!accepts.some(({ kind }) => MADE.includes(kind)))
    throw new DataError(
      'PGRST107',
      `None of these media types are available: ${accepts.map(nameOf).join(', ')}`,
    )
  const preRequest = preRequestOf(settings)
  const work = await runInTransaction(engine, request, {
    ...transactionSettings(settings, caller.role, undefined),
    mode: 'readOnly',
    statements: [...(preRequest === undefined ? [] : [preRequest]), privilegesOn(schema)],
    preferences,
    returnsRows: true,
  })
  const known = parseJson(cellText(work.results.at(-1)?.rows[0]?.[0]) ?? '{}')
  const described = visible(cache, schema, isJsonObject(known) ? known : {}, settings)
  const body = isHead ? undefined : JSON.stringify(openApiDocument(cache, described, settings))
  const headers = {
    'Content-Type': 'application/openapi+json; charset=utf-8',
    ...(parsed.isNegotiatedByProfile
      ? { 'Content-Profile': Buffer.from(schema).toString('latin1') }
      : {}),
  }
  return new Answer(200, headers, body)
}

function visible(
  cache: SchemaCache,
  schema: string,
  known: JsonObject,
  { openApiMode, extraSearchPath }: DataSettings,
): Described {
  const { comment } = known
  const described = {
    tables: [...cache.tables.values()].filter((table) => table.schema === schema),
    routines: [...cache.routines.values()].flat().filter((routine) => routine.schema === schema),
    comment: typeof comment === 'string' ? comment : undefined,
  }
  if (openApiMode === 'ignore-privileges') return described
  const [tables, routines] = [namesIn(known['tables']), namesIn(known['routines'])]
  return {
    ...described,
    tables: described.tables.filter(({ name }) => tables.has(name)),
    // Leaves out overloads that the caller has no privilege to call.
    routines: described.routines
      .filter(({ oid }) => routines.has(oid))
      .map((routine) => inOwnWords(routine, [schema, ...extraSearchPath])),
  }
}

function namesIn(list: JsonValue | undefined): ReadonlySet<JsonValue> {
  return new Set(Array.isArray(list) ? (list as readonly JsonValue[]) : [])
}

// Removes the schema name from types whose schema is in the search path.
function inOwnWords(routine: Routine, searchPath: readonly string[]): Routine {
  const { parameters } = routine
  const prefixes = searchPath.flatMap((schema) => [`${schema}.`, `${quoteIdentifier(schema)}.`])
  const bare = (type: string) => {
    const prefix = prefixes.find((each) => type.startsWith(each)) ?? ''
    return type.slice(prefix.length)
  }
  return { ...routine, parameters: parameters.map((one) => ({ ...one, type: bare(one.type) })) }
}

function privilegesOn(schema: string): Sql {
  return sql`
    with space as (select oid from pg_namespace where nspname = ${schema}::text)
    select json_build_object(
      'comment', (select obj_description(oid, 'pg_namespace') from space),
      'tables', (
        select json_agg(relation.relname)
        from space join pg_class as relation on relation.relnamespace = space.oid
        where relation.relkind in ('r', 'p', 'v', 'm', 'f') and (
          pg_has_role(relation.relowner, 'usage')
          or has_table_privilege(relation.oid, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege(relation.oid, 'select, insert, update, references'))),
      'routines', (
        select json_agg(routine.oid::text)
        from space join pg_proc as routine on routine.pronamespace = space.oid
        where has_function_privilege(routine.oid, 'execute')))`
}
