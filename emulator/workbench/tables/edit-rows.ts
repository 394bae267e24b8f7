// Changes of single rows: all of them or none, in one transaction (contract/tables.ts, RowEdits).

import { InspectorError } from '../../api-kit/errors.ts'
import type { RowEdit, RowEditsAnswer } from '../../contract/tables.ts'
import { cellText, SqlError } from '../../database/engine.ts'
import { EMPTY, identifier, join, type Sql, sql } from '../../database/sql.ts'
import { tableOf } from './list-tables.ts'
import { refusalOf } from './refuse-sql.ts'
import { type RowAccess, type RowAccessDeps, writeAs } from './row-access.ts'
import { findColumn, hasKey, keyCondition } from './row-conditions.ts'
import { keyColumns } from './table-records.ts'

/** @throws {InspectorError} what the request or Postgres has against it; then nothing was changed */
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
    const place = isBadValue(error) ? await placeOfBadValue(deps, access, edits) : undefined
    throw refusalOf(error, place === undefined ? '' : `${place}: `)
  }
}

function statementOf(access: RowAccess, edit: RowEdit, path: string): Sql {
  const table = tableOf(access.schemaName, access.table)
  switch (edit.kind) {
    case 'insert':
      return insertion(access, table, edit.row, `${path}.row`)
    case 'update': {
      const names = Object.keys(edit.changes)
      if (names.length === 0)
        throw new InspectorError(
          'invalid_request',
          `The request is not valid. ${path}.changes: names no column.`,
        )
      const changes = names.map((name) => {
        findColumn(access.table, name, `${path}.changes`)
        return sql`${identifier(name)} = ${edit.changes[name] ?? null}`
      })
      return sql`update ${table} set ${join(changes)} where ${onlyRow(access, table, edit.key, path)}`
    }
    case 'delete':
      return sql`delete from ${table} where ${onlyRow(access, table, edit.key, path)}`
  }
}

type Row = Readonly<Record<string, string | null>>

function insertion({ table, principal }: RowAccess, name: Sql, row: Row, path: string): Sql {
  const columns = Object.keys(row)
  if (columns.length === 0) return sql`insert into ${name} default values`
  for (const column of columns) findColumn(table, column, path)
  const values = columns.map((column) => sql`${row[column] ?? null}`)
  return sql`insert into ${name} (${join(columns.map((column) => identifier(column)))})${principal === undefined ? OVERRIDING : EMPTY}
    values (${join(values)})`
}

/** Whoever owns the table may say what its counters would say. */
export const OVERRIDING: Sql = sql` overriding system value`

// Without a primary key two rows may be the same; the second one makes the subquery fail, and with it everything.
function onlyRow({ table }: RowAccess, name: Sql, key: Row, path: string): Sql {
  const condition = keyCondition(table, key, `${path}.key`)
  return hasKey(table)
    ? condition
    : sql`${condition} and 1 = (select 1 from ${name} where ${condition})`
}

/** Class 22: a value that its column cannot hold. */
function isBadValue(error: SqlError): boolean {
  return error.code.startsWith('22')
}

interface GivenValue {
  readonly place: string
  readonly type: string
  readonly text: string
}

/** Where the first value stands that its column's type cannot read; `undefined` when all can be read. */
async function placeOfBadValue(
  deps: RowAccessDeps,
  access: RowAccess,
  edits: readonly RowEdit[],
): Promise<string | undefined> {
  const given = edits.flatMap((edit, index) => givenValues(access, edit, `edits.${index}`))
  if (given.length === 0) return undefined
  const asked = given.map(({ text, type }) => [text, type] as const)
  try {
    // A domain's check is a tenant's code: it is asked as whoever made the change.
    const question = sql`select min(position) from json_array_elements(${JSON.stringify(asked)}::json)
          with ordinality as given (pair, position)
        where not pg_catalog.pg_input_is_valid(pair ->> 0, pair ->> 1)`
    const { results } = await writeAs(deps, access, [question], 'rollback')
    const position = cellText(results[0]?.rows[0]?.[0])
    return position === undefined ? undefined : given[Number(position) - 1]?.place
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}

function givenValues({ table }: RowAccess, edit: RowEdit, path: string): GivenValue[] {
  const typeOf = new Map(table.columns.map(({ name, typeSql }) => [name, typeSql]))
  const ofRow = (row: Row, names: readonly string[]) =>
    names.flatMap((name) => {
      const [text, type] = [row[name], typeOf.get(name)]
      return typeof text === 'string' && type !== undefined
        ? [{ place: `${path}.${name}`, type, text }]
        : []
    })
  if (edit.kind === 'insert') return ofRow(edit.row, Object.keys(edit.row))
  const key = hasKey(table)
    ? ofRow(
        edit.key,
        keyColumns(table).map(({ name }) => name),
      )
    : []
  return edit.kind === 'delete' ? key : [...key, ...ofRow(edit.changes, Object.keys(edit.changes))]
}
