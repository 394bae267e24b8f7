// A schema's tables, views and materialised views, with their columns.
import { type Sql, sql } from '../sql.ts'
import type { Queries } from './records.ts'
import { SEQUENCE_OPTIONS, type SequenceOptions } from './types.ts'

export interface NotNull {
  /** Absent on servers before PostgreSQL 18, where a NOT NULL is not a constraint. */
  readonly name?: string
  readonly noInherit: boolean
  readonly validated: boolean
  /** False when only a parent of the table declares the NOT NULL. */
  readonly local: boolean
}

export interface ColumnRecord {
  readonly name: string
  readonly type: string
  readonly collation?: string
  readonly notNull?: NotNull
  /** The column's default, or the expression of a generated column. */
  readonly expression?: string
  readonly generated?: 'stored' | 'virtual'
  readonly identity?: {
    readonly always: boolean
    readonly sequence: string
    readonly options: SequenceOptions
  }
  /** The storage is absent when it equals the default of the column's type. */
  readonly storage?: 'plain' | 'external' | 'extended' | 'main'
  readonly compression?: 'pglz' | 'lz4'
  readonly statisticsTarget?: number
  readonly options?: readonly string[]
  /** False for a column that only a parent declares. */
  readonly local: boolean
}

export interface RelationRecord {
  readonly key: string
  readonly name: string
  readonly kind: 'table' | 'partitioned' | 'view' | 'materialized'
  readonly unlogged: boolean
  readonly columns: readonly ColumnRecord[]
  /** Storage parameters as `name=value`; those of the toast table as `toast.name=value`. */
  readonly options?: readonly string[]
  readonly ofType?: string
  /** Parent tables in the order of inheritance; exactly one for a partition. */
  readonly parents?: readonly string[]
  readonly partitionBound?: string
  readonly partitionKey?: string
  /** The query of the view, without a closing semicolon. */
  readonly query?: string
  readonly populated: boolean
  readonly rowSecurity: boolean
  readonly forcedRowSecurity: boolean
  /** The replica identity is absent when it is `default`. */
  readonly replicaIdentity?: 'full' | 'nothing' | 'index'
  readonly replicaIndex?: string
}

// Dropping a parent's column also drops the generated columns that read it. Postgres then leaves the child's copies of such
// generated columns marked as inherited, although no parent has them.
const IS_LOCAL: Sql = sql`a.attislocal or not exists (
  select from pg_inherits as i join pg_attribute as parent on parent.attrelid = i.inhparent
  where i.inhrelid = c.oid and parent.attname = a.attname and not parent.attisdropped)`

function columns(): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod),
      'collation', case when a.attcollation <> ty.typcollation then a.attcollation::regcollation::text end,
      'notNull', case when a.attnotnull or nn.oid is not null then json_build_object(
        'name', nn.conname, 'noInherit', coalesce(nn.connoinherit, false),
        'validated', coalesce(nn.convalidated, true), 'local', coalesce(nn.conislocal, a.attislocal)) end,
      'expression', pg_get_expr(ad.adbin, ad.adrelid),
      'generated', case a.attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
      'identity', case when a.attidentity <> '' then (
        select json_build_object(
          'always', a.attidentity = 'a', 'sequence', d.objid::regclass::text, 'options', ${SEQUENCE_OPTIONS})
        from pg_depend as d join pg_sequence as s on s.seqrelid = d.objid
        where d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid = a.attnum
          and d.classid = 'pg_class'::regclass and d.deptype = 'i') end,
      'storage', case when a.attstorage <> ty.typstorage then
        case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'x' then 'extended' else 'main' end end,
      'compression', case a.attcompression when 'p' then 'pglz' when 'l' then 'lz4' end,
      'statisticsTarget', a.attstattarget,
      'options', a.attoptions,
      'local', ${IS_LOCAL}) order by a.attnum), '[]')
    from pg_attribute as a
    join pg_type as ty on ty.oid = a.atttypid
    left join pg_attrdef as ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
    left join pg_constraint as nn on nn.conrelid = a.attrelid and nn.contype = 'n' and nn.conkey = array[a.attnum]
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`
}

export const RELATION_QUERIES: Queries = {
  relations: ({ namespace, platform }) => sql`
select 'relation:' || c.relname as key, c.relname as name,
  case c.relkind when 'r' then 'table' when 'p' then 'partitioned' when 'v' then 'view' else 'materialized' end as kind,
  c.relpersistence = 'u' as unlogged,
  ${columns()} as columns,
  (select json_agg(o.option) from (
    select unnest(c.reloptions) union all
    select 'toast.' || unnest(t.reloptions) from pg_class as t where t.oid = c.reltoastrelid) as o(option)) as options,
  case when c.reloftype <> 0 then format_type(c.reloftype, null) end as "ofType",
  (select json_agg(i.inhparent::regclass::text order by i.inhseqno)
   from pg_inherits as i where i.inhrelid = c.oid) as parents,
  pg_get_expr(c.relpartbound, c.oid) as "partitionBound",
  case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as "partitionKey",
  case when c.relkind in ('v', 'm') then rtrim(pg_get_viewdef(c.oid), ';') end as query,
  c.relispopulated as populated,
  c.relrowsecurity as "rowSecurity",
  c.relforcerowsecurity as "forcedRowSecurity",
  case c.relreplident when 'f' then 'full' when 'n' then 'nothing' when 'i' then 'index' end as "replicaIdentity",
  (select ic.relname from pg_index as i join pg_class as ic on ic.oid = i.indexrelid
   where i.indrelid = c.oid and i.indisreplident and c.relreplident = 'i') as "replicaIndex"
from pg_class as c
where c.relnamespace = ${namespace}
  and c.relowner <> ${platform}
  and c.relkind in ('r', 'p', 'v', 'm')`,
}
