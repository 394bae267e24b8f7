// Groups the rows of a file into batches. Each batch becomes one INSERT.
import { EMPTY, identifier, join, literal, type Sql, sql } from '../../../../database/sql.ts'
import { tableOf } from '../../../tables/table.ts'
import { OVERRIDING } from '../edit-rows.ts'
import type { RowAccess } from '../row-access.ts'
import type { FileRow } from './file-row.ts'

/** Maximum size of one INSERT. */
const BATCH = { rows: 5_000, characters: 4 * 1_048_576 }

/** Consecutive rows of the file that have the same columns. */
export interface Batch {
  readonly columns: readonly string[]
  readonly jsonNulls: readonly string[]
  readonly rows: readonly FileRow[]
}

/** Returns the batches in the file's order. */
export function batchesOf(rows: readonly FileRow[]): readonly Batch[] {
  const batches: (Batch & { rows: FileRow[]; characters: number })[] = []
  for (const row of rows) {
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      last.rows.length < BATCH.rows &&
      last.characters + row.json.length < BATCH.characters &&
      isSame(last.columns, row.columns) &&
      isSame(last.jsonNulls, row.jsonNulls ?? [])
    if (fits) {
      last.rows.push(row)
      last.characters += row.json.length
    } else {
      const { columns, jsonNulls = [], json } = row
      batches.push({ columns, jsonNulls, rows: [row], characters: json.length })
    }
  }
  return batches
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names === others || names.join('\0') === others.join('\0')
}

/** Builds `insert into … select … from`. The caller appends a source of one row or several. */
export function intoColumns(
  { schemaName, table, principal }: RowAccess,
  { columns, jsonNulls }: Pick<Batch, 'columns' | 'jsonNulls'>,
): Sql {
  const names = join(columns.map((name) => identifier(name)))
  // json_populate_record converts JSON's null to SQL's null, so columns in `jsonNulls` get a literal.
  const cellOf = (name: string): Sql =>
    jsonNulls.includes(name) ? literal('null') : sql`given.${identifier(name)}`
  const values = join(columns.map(cellOf))
  return sql`insert into ${tableOf(schemaName, table)} (${names})${principal === undefined ? OVERRIDING : EMPTY}
    select ${values} from`
}
