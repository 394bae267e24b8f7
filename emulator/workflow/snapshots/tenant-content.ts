// Reads the content of one schema for comparisons: the structure of its tables and the text of each row. A snapshot keeps this
// content as a text beside its data (kept-contents.ts).

import { createHash } from 'node:crypto'
import { parseJson } from '../../core/json.ts'
import { type SchemaName, schemaNameOf, trusted } from '../../core/names.ts'
import { cellText, type Engine, type StatementResult } from '../../database/engine.ts'
import { isOwnTrigger } from '../../database/own-trigger.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { identifier, join, literal, readScript, type Sql, sql } from '../../database/sql.ts'
import { shortenedCell } from './shown-cells.ts'

export interface TableContent {
  /** Digest of the table's definition. */
  readonly structure: string
  readonly columns: readonly string[]
  /** Columns of the primary key; empty when the table has none. */
  readonly key: readonly string[]
  /**
   * The text of each row as Postgres prints it, by the text of the row's key. Without a primary key, the key is a digest of the
   * row.
   */
  readonly rows: ReadonlyMap<string, readonly string[]>
}

export type TenantContent = ReadonlyMap<string, TableContent>

export interface ContentText {
  /** The content as JSON. Equal texts mean equal contents. */
  readonly text: string
  /** Bytes of the tables' rows in the database. */
  readonly heapBytes: number
}

/** Reads all tables. Returns `undefined` when the tables together are larger than `maxBytes`. @throws {SqlError} */
export async function readContent(
  { engine, reader }: { readonly engine: Engine; readonly reader: RowReader },
  schemaName: SchemaName,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<ContentText | undefined> {
  const tables = await describe(engine, schemaName)
  const heapBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  if (heapBytes > maxBytes) return undefined
  const results: StatementResult[] = []
  for (const part of inParts(tables))
    results.push(...(await reader.read(schemaName, part.map(rowStatement(schemaName)))))
  const written = tables.map(({ name, structure, columns, key }, index) => [
    name,
    structure,
    columns,
    key,
    (results[index]?.rows ?? []).flatMap((row) => row.map((cell) => cellText(cell) ?? '')),
  ])
  return { text: JSON.stringify(written), heapBytes }
}

/** @throws {TypeError} for a text that `readContent` has not written */
export function parseContent(text: string): TenantContent {
  const tables = parseJson(text)
  if (!Array.isArray(tables)) throw new TypeError('the content of a tenant is a JSON array')
  return new Map(
    tables.map((table) => {
      const [name, structure, columns, key, texts] = Array.isArray(table) ? table : []
      return [
        String(name),
        {
          structure: String(structure),
          columns: textsOf(columns),
          key: textsOf(key),
          rows: rowsByKey(textsOf(texts)),
        },
      ]
    }),
  )
}

function rowsByKey(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>()
  for (let at = 0; at < texts.length; at += 2) {
    const [key = '', row = ''] = [texts[at], texts[at + 1]]
    const same = rows.get(key)
    if (same === undefined) rows.set(key, [row])
    else same.push(row)
  }
  return rows
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

interface DescribedTable {
  readonly name: string
  readonly structure: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly bytes: number
}

async function describe(
  engine: Engine,
  schemaName: SchemaName,
): Promise<readonly DescribedTable[]> {
  const results = await engine.admin(schemaName, readScript([describeTables(schemaName)]))
  return (results.at(-1)?.rows ?? []).map((row) => {
    const [name = '', structure = '', columns, key, bytes] = row.map(cellText)
    return {
      name,
      structure,
      columns: textsOf(parseJson(columns ?? '[]')),
      key: textsOf(parseJson(key ?? '[]')),
      bytes: Number(bytes ?? 0),
    }
  })
}

/**
 * Maximum number of bytes that one job of the engine reads from several tables, so that requests do not wait long for the job.
 */
const PART_BYTES = 512 << 10
const PART_TABLES = 12

function inParts(tables: readonly DescribedTable[]): readonly (readonly DescribedTable[])[] {
  const parts: DescribedTable[][] = []
  let bytes = 0
  for (const table of tables) {
    const part = parts.at(-1)
    bytes += table.bytes
    if (part === undefined || part.length >= PART_TABLES || bytes > PART_BYTES) {
      parts.push([table])
      bytes = table.bytes
    } else part.push(table)
  }
  return parts
}

/** Maximum size of a row's text, in bytes. Long cells of larger rows are shortened, so that contents stay small. */
const LONG_ROW_BYTES = 2_000

function rowStatement(schemaName: SchemaName): (table: DescribedTable) => Sql {
  return ({ name, columns, key }) => {
    const parts = key.map((column) => sql`content.${identifier(column)}`)
    const keyText = key.length === 0 ? sql`md5(written.whole)` : sql`row(${join(parts)})::text`
    const cells = columns.map((column) => shortenedCell(sql`content.${identifier(column)}`))
    return sql`select ${keyText},
  case when octet_length(written.whole) <= ${literal(String(LONG_ROW_BYTES))}::integer then written.whole
    else row(${join(cells)})::text end
from ${identifier(schemaName)}.${identifier(name)} as content
cross join lateral (select content::text as whole offset 0) as written`
  }
}

// Computes one digest per table from all parts of the table's definition. The names in it are qualified in the same way in every
// state.
function describeTables(schemaName: SchemaName): Sql {
  return sql`select relation.relname,
  md5(concat_ws(';', relation.relkind, relation.relrowsecurity, relation.relforcerowsecurity, relation.relacl,
    pg_get_partkeydef(relation.oid), obj_description(relation.oid, 'pg_class'),
    (select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
        attacl, pg_get_expr(adbin, adrelid)), ',' order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = relation.oid and attnum > 0 and not attisdropped),
    (select string_agg(conname || ' ' || pg_get_constraintdef(oid), ',' order by conname)
      from pg_constraint where conrelid = relation.oid),
    (select string_agg(pg_get_indexdef(indexrelid), ',' order by indexrelid::regclass::text)
      from pg_index where indrelid = relation.oid),
    (select string_agg(concat_ws(' ', polname, polcmd, polpermissive, polroles::regrole[],
        pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), ',' order by polname)
      from pg_policy where polrelid = relation.oid),
    (select string_agg(concat_ws(' ', pg_get_triggerdef(oid), tgenabled), ',' order by tgname)
      from pg_trigger as trigger where tgrelid = relation.oid and ${isOwnTrigger('trigger')}))),
  (select json_agg(attname order by attnum)
    from pg_attribute where attrelid = relation.oid and attnum > 0 and not attisdropped),
  (select json_agg(attname order by place.number)
    from pg_index
    cross join unnest(indkey::smallint[]) with ordinality as place (attnum, number)
    join pg_attribute on attrelid = indrelid and pg_attribute.attnum = place.attnum
    where indrelid = relation.oid and indisprimary and place.number <= indnkeyatts),
  coalesce((select sum(pg_table_size(part.relid)) from pg_partition_tree(relation.oid) as part),
    pg_table_size(relation.oid))
from pg_class as relation
join pg_namespace as namespace on namespace.oid = relation.relnamespace
where namespace.nspname = ${literal(schemaName)} and relation.relkind in ('r', 'p')
  and not relation.relispartition and relation.relpersistence <> 't'
order by relation.relname`
}

const SAMPLE = schemaNameOf(trusted.slug('sample'))

const TABLE: DescribedTable = { name: '', structure: '', columns: [''], key: [], bytes: 0 }

/** The version of the format. Releases that read contents in different ways have different values. */
export const CONTENT_FORMAT: string = createHash('sha256')
  .update(describeTables(SAMPLE).text)
  .update(rowStatement(SAMPLE)(TABLE).text)
  .update(rowStatement(SAMPLE)({ ...TABLE, key: [''] }).text)
  .digest('hex')
  .slice(0, 16)
