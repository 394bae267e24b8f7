// Changes single rows in one transaction, so that all edits succeed or none (contract/tables.ts, RowEdits).

import type { RowEdit, RowEditsAnswer } from '../../../contract/tables.ts'
import { cellText, SqlError } from '../../../database/engine.ts'
import { EMPTY, identifier, join, type Sql, sql } from '../../../database/sql.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { Cells } from '../../tables/select-rows.ts'
import { findColumn, invalid, keyColumns, type Table, tableOf } from '../../tables/table.ts'
import { type BadValue, refusalOf } from './refuse-sql.ts'
import { type RowAccess, type RowAccessDeps, writeAs } from './row-access.ts'
import {
  mayBeChanged,
  requireSeen,
  type StoredRowEdit,
  unlessChanged,
  withoutSeen,
} from './seen-cells.ts'

/** Applies all edits or none. @throws {InspectorError} when the request is invalid or Postgres refuses an edit */
export async function editRows(
  deps: RowAccessDeps,
  access: RowAccess,
  edits: readonly RowEdit[],
): Promise<RowEditsAnswer> {
  const statements = edits.map((edit, index) => statementOf(access, edit, `edits.${index}`))
  try {
    const { results } = await writeAs(deps, access, statements)
    const counts = results.map(({ commandTag }) => Number(/\d+$/.exec(commandTag)?.[0] ?? 0))
    return {
      rows_changed: counts.reduce((sum, count) => sum + count, 0),
      rows_not_found: counts.filter((count) => count === 0).length,
    }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    if (mayBeChanged(error, edits)) {
      await requireSeen(deps, access, edits)
      return await editRows(deps, access, edits.map(withoutSeen))
    }
    if (error.code === MORE_THAN_ONE_ROW && access.table.key.length === 0) throw ambiguous(error)
    throw refusalOf(error, isBadValue(error) ? await findBadValue(deps, access, edits) : undefined)
  }
}

function ambiguous(cause: SqlError): InspectorError {
  return new InspectorError(
    'ambiguous_row',
    'More than one row has exactly these values, and the table has no primary key. Nothing was changed.',
    {
      cause,
      fields: { sql_state: '21000' },
      hint: 'Add a primary key, or change all of these rows in the SQL console.',
    },
  )
}

function statementOf(access: RowAccess, edit: RowEdit, path: string): Sql {
  const table = sql`${tableOf(access.schemaName, access.table)} as t`
  switch (edit.kind) {
    case 'insert':
      return insertion(access, edit.row, `${path}.row`)
    case 'update': {
      const names = Object.keys(edit.changes)
      if (names.length === 0) throw invalid(`${path}.changes: must contain at least one column`)
      const changes = names.map((name) => {
        findColumn(access.table, name, `${path}.changes`)
        return sql`${identifier(name)} = ${edit.changes[name] ?? null}`
      })
      return sql`update ${table} set ${join(changes)} where ${onlyRow(access, edit, path)}`
    }
    case 'delete':
      return sql`delete from ${table} where ${onlyRow(access, edit, path)}`
  }
}

function insertion({ schemaName, table, principal }: RowAccess, row: Cells, path: string): Sql {
  const name = tableOf(schemaName, table)
  const columns = Object.keys(row)
  if (columns.length === 0) return sql`insert into ${name} default values`
  for (const column of columns) findColumn(table, column, path)
  const values = columns.map((column) => sql`${row[column] ?? null}`)
  return sql`insert into ${name} (${join(columns.map((column) => identifier(column)))})${principal === undefined ? OVERRIDING : EMPTY}
    values (${join(values)})`
}

/** Without an identity, edits can set the values of identity columns. */
export const OVERRIDING: Sql = sql` overriding system value`

/**
 * The SQLSTATE that an edit raises on purpose when a key matches several rows. Postgres raises this SQLSTATE for a strict JSON
 * path without a match. No other part of an edit raises it.
 */
const MORE_THAN_ONE_ROW = '2203A'

// Without a primary key, two rows can be equal. For equal rows, the JSON path raises an error that rolls the transaction back.
function onlyRow({ schemaName, table }: RowAccess, edit: StoredRowEdit, path: string): Sql {
  requireWholeKey(table, edit.key, `${path}.key`)
  const condition = unlessChanged(table, edit, path)
  if (table.key.length > 0) return condition
  return sql`${condition} and (
    select case pg_catalog.count(*) when 1 then true when 0 then false
      else pg_catalog.jsonb_path_exists(pg_catalog.to_jsonb(pg_catalog.count(*)), 'strict $.more_than_one_row') end
    from ${tableOf(schemaName, table)} as t where ${condition})`
}

function requireWholeKey(table: Table, key: Cells, path: string): void {
  const wanted = keyColumns(table).map(({ name }) => name)
  if (Object.keys(key).length === wanted.length && wanted.every((name) => Object.hasOwn(key, name)))
    return
  const what =
    table.key.length > 0 ? 'its primary key' : 'all its columns, because it has no primary key'
  throw invalid(
    `${path}: the key of a row of ${table.name} must contain ${what}: ${wanted.join(', ')}`,
  )
}

/** Whether the column cannot store the value (SQLSTATE class 22). */
function isBadValue(error: SqlError): boolean {
  return error.code.startsWith('22')
}

interface GivenValue extends BadValue {
  readonly type: string
  readonly text: string
}

/** Finds the first value that its column's type cannot parse. Returns `undefined` if all values can be parsed. */
async function findBadValue(
  deps: RowAccessDeps,
  access: RowAccess,
  edits: readonly RowEdit[],
): Promise<BadValue | undefined> {
  const given = edits.flatMap((edit, index) => givenValues(access.table, edit, `edits.${index}`))
  if (given.length === 0) return undefined
  const asked = given.map(({ text, type }) => [text, type] as const)
  try {
    // The check of a domain is a tenant's code, so the query runs with the same rights as the edit.
    const question = sql`select min(position) from json_array_elements(${JSON.stringify(asked)}::json)
          with ordinality as given (pair, position)
        where not pg_catalog.pg_input_is_valid(pair ->> 0, pair ->> 1)`
    const { results } = await writeAs(deps, access, [question], 'rollback')
    const position = cellText(results[0]?.rows[0]?.[0])
    return position === undefined ? undefined : given[Number(position) - 1]
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}

function givenValues(table: Table, edit: RowEdit, path: string): GivenValue[] {
  const ofRow = (row: Cells, names: readonly string[]) =>
    names.flatMap((name) => {
      const [text, column] = [row[name], table.columns.find((each) => each.name === name)]
      return typeof text === 'string' && column !== undefined
        ? [{ place: `${path}.${name}`, column: name, type: column.type, text }]
        : []
    })
  if (edit.kind === 'insert') return ofRow(edit.row, Object.keys(edit.row))
  const key = ofRow(edit.key, table.key)
  return edit.kind === 'delete' ? key : [...key, ...ofRow(edit.changes, Object.keys(edit.changes))]
}
