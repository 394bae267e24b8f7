// Refuses edits of rows that have changed since the editor saw them (contract/tables.ts, `seen` of RowEdit). Used by
// edit-rows.ts.
import type { RowEdit } from '../../../contract/tables.ts'
import { shortened } from '../../../core/printable.ts'
import { cellText, type SqlError } from '../../../database/engine.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { type Cells, columnList, keyCondition, sameCells } from '../../tables/select-rows.ts'
import { findColumn, keyColumns, type Table, tableOf } from '../../tables/table.ts'
import { type RowAccess, type RowAccessDeps, readAs } from './row-access.ts'

/** An edit of an existing row. */
export type StoredRowEdit = Exclude<RowEdit, { readonly kind: 'insert' }>

/**
 * The SQLSTATE that an edit raises on purpose when a cell has another value. Postgres raises this SQLSTATE for a strict JSON
 * path that expects an array.
 */
const CHANGED = '22039'
/** The identity may change a column that it may not read, so that its edit cannot compare the column. */
const NOT_READABLE = '42501'

/** Matches the row with the edit's key. A cell with another value raises an error, which rolls the transaction back. */
export function unlessChanged(table: Table, edit: StoredRowEdit, path: string): Sql {
  const condition = keyCondition(table, edit.key, `${path}.key`)
  if (edit.seen === undefined) return condition
  const same = sameCells(table, edit.seen, `${path}.seen`)
  // Repeats the key, because Postgres may evaluate the conditions of other rows first. The JSON path gets no constant, because
  // Postgres would evaluate a constant before it reads a row.
  return sql`${condition} and case when not ${condition} then false when ${same} then true
    else pg_catalog.jsonb_path_exists(pg_catalog.to_jsonb(${same}), 'strict $[0]') end`
}

/** Whether the edits failed because a row has changed, or because the seen values could not be compared. */
export function mayBeChanged({ code }: SqlError, edits: readonly RowEdit[]): boolean {
  return (
    (code === CHANGED || code === NOT_READABLE) && edits.some((edit) => seenOf(edit) !== undefined)
  )
}

/**
 * Reads the rows of the edits as the owner's screen reads them, and compares their cells with the seen values. An edit cannot
 * compare columns that its identity may not read. Its search path shortens the names of relations (`regclass`).
 * @throws {InspectorError} `conflict` when a cell has another value
 */
export async function requireSeen(
  deps: RowAccessDeps,
  access: RowAccess,
  edits: readonly RowEdit[],
): Promise<void> {
  const { schemaName, table } = access
  const compared = edits.flatMap((edit, index) => {
    const seen = seenOf(edit)
    return edit.kind === 'insert' || seen === undefined ? [] : [{ index, key: edit.key, seen }]
  })
  const statements = compared.map(({ index, key, seen }) => {
    const path = `edits.${index}`
    const columns = Object.keys(seen).map((name) => findColumn(table, name, `${path}.seen`))
    return sql`select ${columnList(columns)} from ${tableOf(schemaName, table)} as t
      where ${keyCondition(table, key, `${path}.key`)}`
  })
  const results = await readAs(deps, { ...access, principal: undefined }, statements)
  for (const [position, { index, key, seen }] of compared.entries()) {
    const row = results[position]?.rows[0]
    if (row === undefined) continue
    const names = Object.keys(seen)
    const current = Object.fromEntries(names.map((name, at) => [name, cellText(row[at]) ?? null]))
    const changed = names.find((name) => current[name] !== seen[name])
    if (changed !== undefined) throw conflict(table, { index, key, changed, current })
  }
}

export function withoutSeen(edit: RowEdit): RowEdit {
  if (edit.kind === 'insert') return edit
  const { seen: _compared, ...rest } = edit
  return rest
}

function seenOf(edit: RowEdit): Cells | undefined {
  return edit.kind === 'insert' ? undefined : edit.seen
}

interface ChangedRow {
  /** Position of the edit in the request. */
  readonly index: number
  readonly key: Cells
  readonly changed: string
  readonly current: Cells
}

/** Maximum number of characters of a value in the message. */
const MAX_VALUE = 80

function conflict(table: Table, { index, key, changed, current }: ChangedRow): InspectorError {
  const row = keyColumns(table).map(({ name }) => shortened(key[name] ?? 'null', MAX_VALUE))
  const value = current[changed]
  const shown = typeof value === 'string' ? JSON.stringify(shortened(value, MAX_VALUE)) : 'null'
  return new InspectorError(
    'conflict',
    `The row ${row.join(', ')} of ${table.name} has changed since it was read: ${changed} is now ${shown}. Nothing was written.`,
    {
      fields: { edit: index, current },
      hint: 'Send the present values in `seen` to overwrite them.',
    },
  )
}
