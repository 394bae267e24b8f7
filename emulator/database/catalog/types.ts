// A schema's own types (enums, domains, composites and ranges), its sequences, and its functions, procedures and aggregates.
// Sequences of identity columns are part of the column's record (relations.ts).
import { type Sql, sql, verbatim } from '../sql.ts'
import type { Queries } from './records.ts'

interface DomainConstraint {
  readonly name: string
  /** Output of `pg_get_constraintdef`, including `NOT VALID`. */
  readonly definition: string
  readonly validated: boolean
}

interface CompositeAttribute {
  readonly name: string
  readonly type: string
  readonly collation?: string
}

/** A type has exactly one of `labels`, `domain`, `attributes` and `range`. `name` is not qualified. */
export interface TypeRecord {
  readonly key: string
  readonly name: string
  readonly labels?: readonly string[]
  readonly domain?: {
    readonly base: string
    readonly default?: string
    readonly collation?: string
    readonly constraints: readonly DomainConstraint[]
  }
  readonly attributes?: readonly CompositeAttribute[]
  readonly range?: {
    readonly subtype: string
    readonly opclass?: string
    readonly collation?: string
    readonly difference?: string
    readonly multirange: string
  }
}

/** The options' numbers are text, because JavaScript numbers cannot represent every bigint. */
export interface SequenceOptions {
  readonly type: string
  readonly start: string
  readonly increment: string
  readonly min: string
  readonly max: string
  readonly cache: string
  readonly cycle: boolean
}

export interface SequenceRecord {
  readonly key: string
  readonly name: string
  readonly unlogged: boolean
  readonly options: SequenceOptions
  /** The column that owns the sequence. Postgres drops the sequence together with this column. */
  readonly ownedBy?: { readonly table: string; readonly column: string }
}

/** Builds `SequenceOptions` from a `pg_sequence` row named `s`. */
export const SEQUENCE_OPTIONS: Sql = verbatim(`json_build_object(
    'type', format_type(s.seqtypid, null), 'start', s.seqstart::text, 'increment', s.seqincrement::text,
    'min', s.seqmin::text, 'max', s.seqmax::text, 'cache', s.seqcache::text, 'cycle', s.seqcycle)`)

export interface RoutineRecord {
  readonly key: string
  /** The qualified name with argument types, such as `proj_shop.total(integer)`. */
  readonly signature: string
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'window'
  /** The whole `create` statement; an aggregate has none. */
  readonly definition?: string
  readonly aggregate?: AggregateParts
}

export interface AggregateParts {
  /** Qualified name. */
  readonly name: string
  readonly arguments: string
  readonly hypothetical: boolean
  /** `create aggregate`'s options with their values as SQL. */
  readonly options: Readonly<Record<string, string>>
}

// Leaves out options with default values, so that the statement equals the original (pg_aggregate, "CREATE AGGREGATE").
const AGGREGATE_OPTIONS: Sql = verbatim(`json_build_object(
      'sfunc', a.aggtransfn::regproc::text,
      'stype', format_type(a.aggtranstype, null),
      'sspace', nullif(a.aggtransspace, 0)::text,
      'finalfunc', nullif(a.aggfinalfn, 0)::regproc::text,
      'finalfunc_extra', case when a.aggfinalextra then 'true' end,
      'finalfunc_modify', case a.aggfinalmodify when 's' then 'shareable' when 'w' then 'read_write' end,
      'combinefunc', nullif(a.aggcombinefn, 0)::regproc::text,
      'serialfunc', nullif(a.aggserialfn, 0)::regproc::text,
      'deserialfunc', nullif(a.aggdeserialfn, 0)::regproc::text,
      'initcond', quote_literal(a.agginitval),
      'sortop', (select 'operator(' || o.oprnamespace::regnamespace || '.' || o.oprname || ')'
        from pg_operator as o where o.oid = a.aggsortop),
      'msfunc', nullif(a.aggmtransfn, 0)::regproc::text,
      'minvfunc', nullif(a.aggminvtransfn, 0)::regproc::text,
      'mstype', case when a.aggmtranstype <> 0 then format_type(a.aggmtranstype, null) end,
      'msspace', nullif(a.aggmtransspace, 0)::text,
      'mfinalfunc', nullif(a.aggmfinalfn, 0)::regproc::text,
      'mfinalfunc_extra', case when a.aggmfinalextra then 'true' end,
      'mfinalfunc_modify', case a.aggmfinalmodify when 's' then 'shareable' when 'w' then 'read_write' end,
      'minitcond', quote_literal(a.aggminitval),
      'parallel', case p.proparallel when 's' then 'safe' when 'r' then 'restricted' end)`)

export const TYPE_QUERIES: Queries = {
  /** Leaves out types that Postgres creates itself: row types of tables, arrays and multiranges. */
  types: ({ namespace, platform }) => sql`
select 'type:' || t.typname as key, t.typname as name,
  case when t.typtype = 'e' then (
    select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum as e where e.enumtypid = t.oid) end as labels,
  case when t.typtype = 'd' then json_build_object(
    'base', format_type(t.typbasetype, t.typtypmod),
    'default', coalesce(pg_get_expr(t.typdefaultbin, 'pg_type'::regclass), t.typdefault),
    'collation', (
      select t.typcollation::regcollation::text from pg_type as base
      where base.oid = t.typbasetype and base.typcollation <> t.typcollation),
    'constraints', (
      select coalesce(json_agg(json_build_object(
        'name', c.conname, 'definition', pg_get_constraintdef(c.oid), 'validated', c.convalidated)
        order by c.conname), '[]')
      from pg_constraint as c where c.contypid = t.oid)) end as domain,
  case when t.typtype = 'c' then (
    select coalesce(json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'collation', case when a.attcollation <> at.typcollation then a.attcollation::regcollation::text end)
      order by a.attnum), '[]')
    from pg_attribute as a join pg_type as at on at.oid = a.atttypid
    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) end as attributes,
  case when t.typtype = 'r' then (
    select json_build_object(
      'subtype', format_type(r.rngsubtype, null),
      'opclass', case when not o.opcdefault then o.opcnamespace::regnamespace::text || '.' || quote_ident(o.opcname) end,
      'collation', case when r.rngcollation <> s.typcollation then r.rngcollation::regcollation::text end,
      'difference', nullif(r.rngsubdiff, 0)::regproc::text,
      'multirange', m.typname)
    from pg_range as r
    join pg_opclass as o on o.oid = r.rngsubopc
    join pg_type as s on s.oid = r.rngsubtype
    join pg_type as m on m.oid = r.rngmultitypid
    where r.rngtypid = t.oid) end as range
from pg_type as t
left join pg_class as rel on rel.oid = t.typrelid
where t.typnamespace = ${namespace}
  and t.typowner <> ${platform}
  and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and rel.relkind = 'c'))`,

  sequences: ({ namespace, platform }) => sql`
select 'sequence:' || c.relname as key, c.relname as name, c.relpersistence = 'u' as unlogged,
  ${SEQUENCE_OPTIONS} as options,
  (select json_build_object('table', t.relname, 'column', a.attname)
   from pg_depend as d
   join pg_class as t on t.oid = d.refobjid
   join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
   where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass
     and d.deptype = 'a') as "ownedBy"
from pg_class as c
join pg_sequence as s on s.seqrelid = c.oid
where c.relnamespace = ${namespace}
  and c.relowner <> ${platform}
  and not exists (
    select from pg_depend as d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')`,

  routines: ({ namespace, platform }) => sql`
select 'routine:' || p.oid::regprocedure as key, p.oid::regprocedure::text as signature,
  case p.prokind when 'f' then 'function' when 'p' then 'procedure' when 'a' then 'aggregate' else 'window' end as kind,
  case when p.prokind <> 'a' then pg_get_functiondef(p.oid) end as definition,
  case when p.prokind = 'a' then json_build_object(
    'name', p.pronamespace::regnamespace::text || '.' || quote_ident(p.proname),
    'arguments', coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'),
    'hypothetical', a.aggkind = 'h',
    'options', ${AGGREGATE_OPTIONS}) end as aggregate
from pg_proc as p
left join pg_aggregate as a on a.aggfnoid = p.oid
where p.pronamespace = ${namespace}
  and p.proowner <> ${platform}`,
}
