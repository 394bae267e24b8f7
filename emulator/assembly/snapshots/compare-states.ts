// Compares two states tenant by tenant: rows by key, structure, objects and users (contract/snapshots.ts).
import type { SnapshotDiff } from '../../contract/snapshots.ts'
import { parseJson } from '../../core/json.ts'
import { type SchemaName, schemaNameOf, trusted } from '../../core/names.ts'
import { cellText } from '../../database/engine.ts'
import { createRowReader, type RowReader } from '../../database/row-reader.ts'
import { identifier, join, literal, type Sql, script, sql } from '../../database/sql.ts'
import type { ReadableState } from './readable-state.ts'

type TenantDiff = SnapshotDiff['tenants'][number]
type TableDiff = TenantDiff['tables'][number]

interface TableContent {
  readonly structure: string
  /** Digest of each row, by the row's key. A row of a table without a key is its own key. */
  readonly rows: ReadonlyMap<string, readonly string[]>
}

interface TenantContent {
  readonly tables: ReadonlyMap<string, TableContent>
  readonly objects: ReadonlySet<string>
  readonly users: ReadonlySet<string>
}

const NOTHING: TenantContent = { tables: new Map(), objects: new Set(), users: new Set() }
const USERS = 'auth_users'

/** Returns what was added, removed and changed from `before` to `after`. @throws {SqlError} */
export async function compareStates(
  before: ReadableState,
  after: ReadableState,
): Promise<SnapshotDiff> {
  const [schemasBefore, schemasAfter] = [schemasOf(before), schemasOf(after)]
  const readers = [createRowReader(before.engine), createRowReader(after.engine)] as const
  const tenants: TenantDiff[] = []
  for (const schemaName of [...new Set([...schemasBefore, ...schemasAfter])].toSorted()) {
    const wasThere = schemasBefore.has(schemaName)
    const isThere = schemasAfter.has(schemaName)
    const was = wasThere ? await contentOf(before, readers[0], schemaName) : NOTHING
    const is = isThere ? await contentOf(after, readers[1], schemaName) : NOTHING
    const change = wasThere ? (isThere ? 'changed' : 'removed') : 'added'
    const difference = tenantDiff(schemaName, change, was, is)
    if (change !== 'changed' || isDifferent(difference)) tenants.push(difference)
  }
  return { tenants }
}

function isDifferent(diff: TenantDiff): boolean {
  return (
    diff.tables.length > 0 ||
    diff.objects_added + diff.objects_removed + diff.users_added + diff.users_removed > 0
  )
}

function schemasOf({ db }: ReadableState): ReadonlySet<SchemaName> {
  const rows = db
    .prepare<[], { slug: string }>(
      "select slug from projects where state in ('active', 'deleted', 'purging')",
    )
    .all()
  return new Set(rows.map(({ slug }) => schemaNameOf(trusted.slug(slug))))
}

async function contentOf(
  { engine, db }: ReadableState,
  reader: RowReader,
  schemaName: SchemaName,
): Promise<TenantContent> {
  const [listed] = await engine.admin(script([describeTables(schemaName)]))
  const tables = new Map<string, TableContent>()
  for (const row of listed?.rows ?? []) {
    const [name = '', structure = '', key] = row.map(cellText)
    const described = parseJson(key ?? '[]')
    const columns = Array.isArray(described) ? described.map(String) : []
    tables.set(name, {
      structure,
      rows: await readDigests(reader, schemaName, name, columns),
    })
  }
  const users = new Set(tables.get(USERS)?.rows.keys())
  return { tables, users, objects: objectsOf(db, schemaName) }
}

// Includes each object's version, so that a replaced object differs from the old one.
function objectsOf(db: ReadableState['db'], schemaName: SchemaName): ReadonlySet<string> {
  const rows = db
    .prepare<[string], { text: string }>(
      `select json_array(o.bucket_id, o.object_key, o.version) as text
       from objects o join buckets b on b.id = o.bucket_id where b.schema_name = ?`,
    )
    .all(schemaName)
  return new Set(rows.map(({ text }) => text))
}

async function readDigests(
  reader: RowReader,
  schemaName: SchemaName,
  table: string,
  key: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parts = key.map((column) => sql`content.${identifier(column)}`)
  const keyText = key.length === 0 ? sql`md5(content::text)` : sql`row(${join(parts)})::text`
  const [result] = await reader.read(schemaName, [
    sql`select ${keyText}, md5(content::text) from ${identifier(schemaName)}.${identifier(table)} as content`,
  ])
  const rows = new Map<string, string[]>()
  for (const row of result?.rows ?? []) {
    const [name = '', digest = ''] = row.map(cellText)
    const same = rows.get(name)
    if (same === undefined) rows.set(name, [digest])
    else same.push(digest)
  }
  return rows
}

function tenantDiff(
  schemaName: SchemaName,
  change: TenantDiff['change'],
  was: TenantContent,
  is: TenantContent,
): TenantDiff {
  const names = [...new Set([...was.tables.keys(), ...is.tables.keys()])].toSorted()
  return {
    schema_name: schemaName,
    change,
    tables: names
      .map((table) => tableDiff(table, was.tables.get(table), is.tables.get(table)))
      .filter(
        (diff) =>
          diff.structure_changed || diff.rows_added + diff.rows_removed + diff.rows_changed > 0,
      ),
    objects_added: missingFrom(was.objects, is.objects),
    objects_removed: missingFrom(is.objects, was.objects),
    users_added: missingFrom(was.users, is.users),
    users_removed: missingFrom(is.users, was.users),
  }
}

function tableDiff(
  table: string,
  was: TableContent | undefined,
  is: TableContent | undefined,
): TableDiff {
  let added = 0
  let removed = 0
  let changed = 0
  for (const [key, digests] of is?.rows ?? []) {
    const earlier = was?.rows.get(key) ?? []
    added += Math.max(0, digests.length - earlier.length)
    if (earlier.length === 1 && digests.length === 1 && earlier[0] !== digests[0]) changed += 1
  }
  for (const [key, digests] of was?.rows ?? [])
    removed += Math.max(0, digests.length - (is?.rows.get(key)?.length ?? 0))
  return {
    table,
    rows_added: added,
    rows_removed: removed,
    rows_changed: changed,
    structure_changed: was?.structure !== is?.structure,
  }
}

function missingFrom(some: ReadonlySet<string>, all: ReadonlySet<string>): number {
  let count = 0
  for (const each of all) if (!some.has(each)) count += 1
  return count
}

// Computes one digest per table from all parts of the table's definition. Both states qualify names in the same way.
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
      from pg_trigger where tgrelid = relation.oid and not tgisinternal))),
  (select json_agg(attname order by place.number)
    from pg_index
    cross join unnest(indkey::smallint[]) with ordinality as place (attnum, number)
    join pg_attribute on attrelid = indrelid and pg_attribute.attnum = place.attnum
    where indrelid = relation.oid and indisprimary and place.number <= indnkeyatts)
from pg_class as relation
join pg_namespace as namespace on namespace.oid = relation.relnamespace
where namespace.nspname = ${literal(schemaName)} and relation.relkind in ('r', 'p')
  and not relation.relispartition and relation.relpersistence <> 't'
order by relation.relname`
}
