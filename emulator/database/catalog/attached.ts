// Objects that are attached to a schema's relations: constraints, indexes, extended statistics, triggers, rewrite rules and
// row-level security policies.
import { isOwnTrigger } from '../own-trigger.ts'
import { type Sql, sql, verbatim } from '../sql.ts'
import type { Queries } from './records.ts'

export interface ConstraintRecord {
  readonly key: string
  readonly table: string
  readonly name: string
  readonly kind: 'primary' | 'unique' | 'exclusion' | 'check' | 'foreign'
  readonly definition: string
  readonly validated: boolean
  /** False for a check constraint that the table only inherits from a parent. */
  readonly local: boolean
  /** Storage parameters of the constraint's index, as `name=value`. */
  readonly indexOptions?: readonly string[]
  readonly clustered: boolean
  /** Columns of the table. When one of them is dropped, Postgres also drops the constraint. */
  readonly droppedWith?: readonly string[]
}

export interface IndexRecord {
  readonly key: string
  readonly name: string
  readonly table: string
  /** The whole `create index` statement. */
  readonly definition: string
  readonly clustered: boolean
  /** The statistics targets of the index's expression columns, by column number. */
  readonly statisticsTargets?: Readonly<Record<string, number>>
  /** Columns of the table. When one of them is dropped, Postgres also drops the index. */
  readonly droppedWith?: readonly string[]
}

export interface StatisticsRecord {
  readonly key: string
  readonly name: string
  readonly definition: string
  readonly target?: number
  /** Columns of the table. When one of them is dropped, Postgres also drops the statistics. */
  readonly droppedWith?: readonly string[]
}

/** When a trigger or a rule fires; `origin` is Postgres's default. */
type Firing = 'origin' | 'disabled' | 'replica' | 'always'

export interface FiringRecord {
  readonly key: string
  readonly table: string
  readonly name: string
  /** The whole `create` statement; a partition's copy of its parent's trigger has none. */
  readonly definition?: string
  readonly firing: Firing
}

export interface PolicyRecord {
  readonly key: string
  readonly table: string
  readonly name: string
  readonly permissive: boolean
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete'
  /** Role names; `public` is every role. */
  readonly roles: readonly string[]
  readonly using?: string
  readonly check?: string
}

/** Returns the columns on which the object has an automatic dependency (`a`). Postgres drops the object with such a column. */
function droppedWith(catalogue: string, oid: string): Sql {
  return verbatim(`(select json_agg(distinct a.attname::text)
   from pg_depend as d join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
   where d.classid = '${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'a'
     and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0) as "droppedWith"`)
}

export const ATTACHED_QUERIES: Queries = {
  /** Leaves out NOT NULLs (relations.ts), and foreign keys that a partition inherits, because the parent's record covers them. */
  constraints: ({ namespace, platform }) => sql`
select 'constraint:' || t.relname || '.' || c.conname as key, t.relname as table, c.conname as name,
  case c.contype when 'p' then 'primary' when 'u' then 'unique' when 'x' then 'exclusion'
    when 'c' then 'check' else 'foreign' end as kind,
  pg_get_constraintdef(c.oid) as definition,
  c.convalidated as validated,
  c.conislocal as local,
  to_json(i.reloptions) as "indexOptions",
  coalesce(x.indisclustered, false) as clustered,
  ${droppedWith('pg_constraint', 'c.oid')}
from pg_constraint as c
join pg_class as t on t.oid = c.conrelid
left join pg_class as i on i.oid = c.conindid and c.contype in ('p', 'u', 'x')
left join pg_index as x on x.indexrelid = i.oid
where t.relnamespace = ${namespace}
  and t.relowner <> ${platform}
  and c.contype in ('p', 'u', 'x', 'c', 'f')
  and (c.contype <> 'f' or c.conparentid = 0)`,

  /** Leaves out the indexes of constraints. Definitions of partitioned indexes omit `on only`, so that Postgres attaches the indexes of the partitions. */
  indexes: ({ namespace, platform }) => sql`
select 'index:' || c.relname as key, c.relname as name, t.relname as table,
  regexp_replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition,
  i.indisclustered as clustered,
  (select json_object_agg(a.attnum, a.attstattarget) from pg_attribute as a
   where a.attrelid = c.oid and a.attstattarget is not null) as "statisticsTargets",
  ${droppedWith('pg_class', 'c.oid')}
from pg_index as i
join pg_class as c on c.oid = i.indexrelid
join pg_class as t on t.oid = i.indrelid
where t.relnamespace = ${namespace}
  and t.relowner <> ${platform}
  and t.relkind in ('r', 'p', 'm')
  and i.indislive
  and not exists (
    select from pg_constraint as k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))`,

  statistics: ({ namespace, platform }) => sql`
select 'statistics:' || s.stxname as key, s.stxname as name, pg_get_statisticsobjdef(s.oid) as definition,
  s.stxstattarget as target, ${droppedWith('pg_statistic_ext', 's.oid')}
from pg_statistic_ext as s
where s.stxnamespace = ${namespace}
  and s.stxowner <> ${platform}`,

  /** A partition's copy of a trigger is listed only when its firing state differs from `origin`. */
  triggers: ({ namespace, platform }) => sql`
select 'trigger:' || c.relname || '.' || t.tgname as key, c.relname as table, t.tgname as name,
  case when t.tgparentid = 0 then pg_get_triggerdef(t.oid) end as definition,
  case t.tgenabled when 'O' then 'origin' when 'D' then 'disabled' when 'R' then 'replica' else 'always' end as firing
from pg_trigger as t
join pg_class as c on c.oid = t.tgrelid
where c.relnamespace = ${namespace}
  and c.relowner <> ${platform}
  and ${isOwnTrigger('t')}
  and (t.tgparentid = 0 or t.tgenabled <> 'O')`,

  /** Leaves out the rules that are views' queries. */
  rules: ({ namespace, platform }) => sql`
select 'rule:' || c.relname || '.' || r.rulename as key, c.relname as table, r.rulename as name,
  rtrim(pg_get_ruledef(r.oid), ';') as definition,
  case r.ev_enabled when 'O' then 'origin' when 'D' then 'disabled' when 'R' then 'replica' else 'always' end as firing
from pg_rewrite as r
join pg_class as c on c.oid = r.ev_class
where c.relnamespace = ${namespace}
  and c.relowner <> ${platform}
  and r.rulename <> '_RETURN'`,

  policies: ({ namespace, platform }) => sql`
select 'policy:' || c.relname || '.' || p.polname as key, c.relname as table, p.polname as name,
  p.polpermissive as permissive,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
    when 'd' then 'delete' else 'all' end as command,
  (select json_agg(name order by name) from (
    select case when role = 0 then 'public' else pg_get_userbyid(role)::text end as name
    from unnest(p.polroles) as role) as named) as roles,
  pg_get_expr(p.polqual, p.polrelid) as using,
  pg_get_expr(p.polwithcheck, p.polrelid) as check
from pg_policy as p
join pg_class as c on c.oid = p.polrelid
where c.relnamespace = ${namespace}
  and c.relowner <> ${platform}`,
}
