// Reads the primary and foreign keys of a project's tables, as column names.
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { literal, sql, verbatim } from '../../../database/sql.ts'
import type { Exec } from '../apply/fleet.ts'
import { selectRows } from './owner-sql.ts'

export interface KeyRecord {
  readonly table: string
  readonly columns: readonly string[]
  /** Absent for a primary key. */
  readonly target?: { readonly table: string; readonly columns: readonly string[] }
}

/** @throws {RemoteError} */
export async function readKeys(exec: Exec, schemaName: SchemaName): Promise<readonly KeyRecord[]> {
  const names = (relation: string, numbers: string) => `(
    select json_agg(a.attname order by k.position) from unnest(${numbers}) with ordinality as k(attnum, position)
    join pg_attribute as a on a.attrelid = ${relation} and a.attnum = k.attnum)`
  const [row] = await selectRows(exec, [
    sql`select coalesce(json_agg(json_build_object('table', t.relname, 'columns', ${verbatim(names('c.conrelid', 'c.conkey'))},
    'to', f.relname, 'toColumns', ${verbatim(names('c.confrelid', 'c.confkey'))}) order by t.relname, c.conname), '[]') as keys
from pg_constraint as c
join pg_class as t on t.oid = c.conrelid
left join pg_class as f on f.oid = c.confrelid
where t.relnamespace = ${literal(schemaName)}::regnamespace and c.contype in ('p', 'f') and c.conparentid = 0`,
  ])
  const keys = row?.['keys']
  return Array.isArray(keys) ? keys.map(keyOf) : []
}

function keyOf(value: JsonValue): KeyRecord {
  const { columns, table, to, toColumns } = isJsonObject(value) ? value : {}
  const key = { table: String(table), columns: textsOf(columns) }
  return typeof to === 'string'
    ? { ...key, target: { table: to, columns: textsOf(toColumns) } }
    : key
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
