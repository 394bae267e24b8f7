// Builds the row that an INSERT or UPDATE would create, as the text of its record. Postgres converts the given values, and
// evaluates defaults and generated columns as the identity, read-only. Columns that triggers or sequences set keep the given
// value, or null. The new values are unknown before the statement runs.

import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { asPrincipal, searchPathOf } from '../../../database/as-principal.ts'
import { cellText, SqlError } from '../../../database/engine.ts'
import { identifier, join, type Sql, sql, verbatim } from '../../../database/sql.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { type Column, findColumn, type Table } from '../../tables/table.ts'
import { arrayText, type Evaluation, TIME_LIMIT_MILLIS } from './evaluate.ts'

export type NewRow = Readonly<Record<string, JsonValue>>

/**
 * Builds the new row for each old row of an UPDATE, or the single row of an INSERT.
 * @param rows texts of records; `undefined` for an INSERT
 * @throws {InspectorError} `invalid_request` when Postgres cannot build a row from the values
 */
export async function makeNewRows(
  { engine, table, principal, method }: Evaluation,
  values: NewRow,
  rows: readonly string[] | undefined,
): Promise<readonly string[]> {
  for (const column of Object.keys(values)) findColumn(table, column, 'new_row')
  const name = identifier(table.name)
  const given = rowOf(table, (column) => givenValue(table, column, values, rows !== undefined))
  const source =
    rows === undefined
      ? sql`(select (${given}).*) as ${name}`
      : sql`(select (${given}).* from pg_catalog.unnest(${arrayText(rows)}::${typeOf(table)}[]) as ${name}) as ${name}`
  const whole = rowOf(table, (column) =>
    column.generation === null
      ? sql`${name}.${identifier(column.name)}`
      : sql`(${verbatim(column.generation)})`,
  )
  const { results } = await engine
    .run({
      ...asPrincipal(principal, {
        method,
        path: `/${table.name}`,
        headers: '{}',
        searchPath: searchPathOf(table.schemaName),
      }),
      mode: 'readOnly',
      statements: [sql`select pg_catalog.textin(pg_catalog.record_out(${whole})) from ${source}`],
      end: 'rollback',
      timeoutMillis: TIME_LIMIT_MILLIS,
    })
    .catch(refuseRow)
  return (results[0]?.rows ?? []).map(([cell]) => cellText(cell) ?? '()')
}

function rowOf(table: Table, partOf: (column: Column) => Sql): Sql {
  return sql`row(${join(table.columns.map(partOf))})::${typeOf(table)}`
}

function typeOf({ schemaName, name }: Table): Sql {
  return identifier(schemaName, name)
}

function givenValue(table: Table, column: Column, values: NewRow, isUpdate: boolean): Sql {
  const value = Object.hasOwn(values, column.name) ? values[column.name] : undefined
  if (value !== undefined) return literalOf(table, column, value)
  if (isUpdate) return identifier(table.name, column.name)
  if (column.default === null || column.isNumbered) return sql`null`
  return sql`(${verbatim(column.default)})`
}

// Postgres parses a string as the column's type. Other JSON values are converted as the REST API does.
function literalOf(table: Table, { name, type, shape }: Column, value: JsonValue): Sql {
  if (value === null) return sql`null`
  const isStructure = Array.isArray(value) || isJsonObject(value)
  if (isStructure && shape !== 'json' && shape !== 'jsonb') {
    const document = JSON.stringify({ [name]: value })
    return sql`(pg_catalog.jsonb_populate_record(null::${typeOf(table)}, ${document}::pg_catalog.jsonb)).${identifier(name)}`
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return sql`${text}::${verbatim(type)}`
}

function refuseRow(error: unknown): never {
  if (error instanceof SqlError)
    throw new InspectorError(
      'invalid_request',
      `Postgres cannot make a row of these values: ${error.message}.`,
      { cause: error },
    )
  throw error
}
