// Rows of a file as statements: as many to one as a statement takes in.
import { EMPTY, identifier, join, type Sql, sql } from '../../../database/sql.ts'
import { OVERRIDING } from '../edit-rows.ts'
import { tableOf } from '../list-tables.ts'
import type { RowAccess } from '../row-access.ts'
import type { FileRow } from './file-row.ts'

/** What one statement takes in. */
const BATCH = { rows: 5_000, characters: 4 * 1_048_576 }

/** Rows with the same columns, one after the other in the file. */
export interface Batch {
  readonly columns: readonly string[]
  readonly rows: readonly FileRow[]
}

/** In the file's order. */
export function batchesOf(rows: readonly FileRow[]): readonly Batch[] {
  const batches: { columns: readonly string[]; rows: FileRow[]; characters: number }[] = []
  for (const row of rows) {
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      last.rows.length < BATCH.rows &&
      last.characters + row.json.length < BATCH.characters &&
      (last.columns === row.columns || last.columns.join('\0') === row.columns.join('\0'))
    if (fits) {
      last.rows.push(row)
      last.characters += row.json.length
    } else batches.push({ columns: row.columns, rows: [row], characters: row.json.length })
  }
  return batches
}

/** `insert into … select … from`, for one row's source or many's. */
export function intoColumns(
  { schemaName, table, principal }: RowAccess,
  columns: readonly string[],
): Sql {
  const names = join(columns.map((name) => identifier(name)))
  const values = join(columns.map((name) => sql`given.${identifier(name)}`))
  return sql`insert into ${tableOf(schemaName, table)} (${names})${principal === undefined ? OVERRIDING : EMPTY}
    select ${values} from`
}
