// A project's tables as the catalogue describes them, the platform's own `auth_*` ones included. Platform work that reads
// catalogues only: no row and no function of a tenant.

import { InspectorError } from '../../api-kit/errors.ts'
import type { ForeignKey, TableSummary } from '../../contract/tables.ts'
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { EMPTY, literal, type Sql, script, sql } from '../../database/sql.ts'

export interface TableRecord {
  readonly name: string
  readonly kind: TableSummary['kind']
  /** The platform's own: structure only. */
  readonly isClosed: boolean
  readonly hasRowSecurity: boolean
  /** Policies bind the table's owner, too. */
  readonly forcesRowSecurity: boolean
  readonly policies: number
  readonly comment: string | null
  readonly columns: readonly ColumnRecord[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly referencedBy: readonly ForeignKey[]
}

export interface ColumnRecord {
  readonly name: string
  /** As Postgres writes it, this schema's own types without the schema. */
  readonly type: string
  /** The same with every schema, as SQL. */
  readonly typeSql: string
  readonly isKey: boolean
  readonly isNullable: boolean
  readonly default: string | null
  /** What computes it: an expression, or a counter that takes no other value. */
  readonly generated: 'expression' | 'identity' | null
  readonly choices: readonly string[] | null
  /** json, jsonb or a domain over them. */
  readonly isJson: boolean
  readonly comment: string | null
}

/** All tables by name, or the one called `name`. @throws {SqlError} */
export async function loadTables(
  engine: Engine,
  schemaName: SchemaName,
  name?: string,
): Promise<readonly TableRecord[]> {
  // No catalogue has such a name, and no text in SQL can carry the character.
  if (name?.includes('\0') === true || name?.isWellFormed() === false) return []
  const results = await engine.admin(
    script([
      sql`set local search_path = pg_catalog`,
      sql`set local quote_all_identifiers = off`,
      tablesQuery(schemaName, name),
    ]),
  )
  // A boundary: the shape is what the query builds.
  const records = JSON.parse(cellText(results.at(-1)?.rows[0]?.[0]) ?? '[]') as TableRecord[]
  return records.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, type: bare(column.typeSql, schemaName) })),
  }))
}

/** @throws {InspectorError} `not_found` */
export async function loadTable(
  engine: Engine,
  schemaName: SchemaName,
  name: string,
): Promise<TableRecord> {
  const [table] = await loadTables(engine, schemaName, name)
  if (table !== undefined) return table
  throw new InspectorError('not_found', `There is no table ${name} in ${schemaName}.`, {
    hint: 'GET …/tables lists them; a name is its bare name, as it is spelt.',
  })
}

/** A table whose rows may be looked at. @throws {InspectorError} `not_found`, `closed_table` */
export async function loadOpenTable(
  engine: Engine,
  schemaName: SchemaName,
  name: string,
): Promise<TableRecord> {
  const table = await loadTable(engine, schemaName, name)
  if (!table.isClosed) return table
  throw new InspectorError(
    'closed_table',
    `${name} belongs to the platform and is closed to every credential of the project: only its structure is shown.`,
    { hint: 'GET …/users shows users, sessions and factors.' },
  )
}

/** Columns that name a row: the primary key, or all where there is none. */
export function keyColumns({ columns }: TableRecord): readonly ColumnRecord[] {
  const key = columns.filter(({ isKey }) => isKey)
  return key.length === 0 ? columns : key
}

function bare(type: string, schemaName: SchemaName): string {
  return type.replace(new RegExp(`^(${schemaName}|extensions)\\.`), '')
}

function tablesQuery(schemaName: SchemaName, name: string | undefined): Sql {
  const only = name === undefined ? EMPTY : sql` and c.relname = ${literal(name)}`
  return sql`select coalesce(json_agg(json_build_object(
  'name', c.relname,
  'kind', case c.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
    when 'm' then 'materialized_view' else 'foreign_table' end,
  'isClosed', c.relowner = n.nspowner,
  'hasRowSecurity', c.relrowsecurity,
  'forcesRowSecurity', c.relrowsecurity and c.relforcerowsecurity,
  'policies', (select count(*) from pg_policy as p where p.polrelid = c.oid),
  'comment', obj_description(c.oid, 'pg_class'),
  'columns', ${COLUMNS},
  'foreignKeys', ${foreignKeys(sql`k.conrelid = c.oid`)},
  'referencedBy', ${foreignKeys(sql`k.confrelid = c.oid and f.relnamespace = c.relnamespace`)}
) order by c.relname), '[]')
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = ${literal(schemaName)} and c.relkind in ('r', 'p', 'v', 'm', 'f')${only}`
}

const COLUMNS: Sql = sql`(
    select coalesce(json_agg(json_build_object(
      'name', a.attname,
      'typeSql', format_type(a.atttypid, a.atttypmod),
      'isKey', coalesce(a.attnum = any (key.indkey), false),
      'isNullable', not a.attnotnull and not (t.typtype = 'd' and t.typnotnull),
      'default', case when a.attidentity = 'a' then 'generated always as identity'
        when a.attidentity = 'd' then 'generated by default as identity'
        else coalesce(pg_get_expr(ad.adbin, ad.adrelid), t.typdefault) end,
      'generated', case when a.attgenerated <> '' then 'expression' when a.attidentity = 'a' then 'identity' end,
      'choices', (
        select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum as e
        where e.enumtypid = base.oid),
      'isJson', base.oid in ('json'::regtype, 'jsonb'::regtype),
      'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
    from pg_attribute as a
    join pg_type as t on t.oid = a.atttypid
    left join lateral (
      with recursive under as (
        select t.oid, t.typtype, t.typbasetype
        union all
        select b.oid, b.typtype, b.typbasetype from under join pg_type as b on b.oid = under.typbasetype
        where under.typtype = 'd')
      select under.oid from under where under.typtype <> 'd') as base on true
    left join pg_attrdef as ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
    left join pg_index as key on key.indrelid = c.oid and key.indisprimary
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`

function foreignKeys(which: Sql): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'name', k.conname,
      'table', f.relname,
      'columns', ${namesOf(sql`k.conrelid`, sql`k.conkey`)},
      'target_table', g.relname,
      'target_columns', ${namesOf(sql`k.confrelid`, sql`k.confkey`)}) order by f.relname, k.conname), '[]')
    from pg_constraint as k
    join pg_class as f on f.oid = k.conrelid
    join pg_class as g on g.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and ${which})`
}

function namesOf(relation: Sql, numbers: Sql): Sql {
  return sql`(
        select json_agg(a.attname order by named.position)
        from unnest(${numbers}) with ordinality as named (number, position)
        join pg_attribute as a on a.attrelid = ${relation} and a.attnum = named.number)`
}
