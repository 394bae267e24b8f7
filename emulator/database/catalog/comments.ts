// The comments on a schema's objects. Each record names its object in the syntax of `comment on`.
import { isOwnTrigger } from '../own-trigger.ts'
import { sql } from '../sql.ts'
import { CAST_NAME } from './expressions.ts'
import type { Queries } from './records.ts'

export interface CommentRecord {
  readonly key: string
  /** The object in the syntax of `comment on`, such as `column proj_shop.orders.total` or `policy mine on proj_shop.orders`. */
  readonly object: string
  readonly text: string
}

export const COMMENT_QUERIES: Queries = {
  comments: ({ namespace, platform }) => sql`
select object as key, object, description as text from (
  select case
      when d.objsubid > 0 then 'column ' || c.oid::regclass || '.' || quote_ident(a.attname)
      else case c.relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence '
        when 'c' then 'type ' when 'i' then 'index ' when 'I' then 'index ' else 'table ' end || c.oid::regclass
    end as object, d.description
  from pg_class as c
  join pg_description as d on d.classoid = 'pg_class'::regclass and d.objoid = c.oid
  left join pg_attribute as a on a.attrelid = c.oid and a.attnum = d.objsubid
  where c.relnamespace = ${namespace} and c.relowner <> ${platform}
  union all
  select case t.typtype when 'd' then 'domain ' else 'type ' end || t.oid::regtype, d.description
  from pg_type as t join pg_description as d on d.classoid = 'pg_type'::regclass and d.objoid = t.oid
  where t.typnamespace = ${namespace} and t.typowner <> ${platform}
  union all
  select 'routine ' || p.oid::regprocedure, d.description
  from pg_proc as p join pg_description as d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
  where p.pronamespace = ${namespace} and p.proowner <> ${platform} and p.prokind <> 'a'
  union all
  select 'aggregate ' || p.pronamespace::regnamespace || '.' || quote_ident(p.proname) || '('
    || coalesce(nullif(pg_get_function_identity_arguments(p.oid), ''), '*') || ')', d.description
  from pg_proc as p join pg_description as d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
  where p.pronamespace = ${namespace} and p.proowner <> ${platform} and p.prokind = 'a'
  union all
  select 'constraint ' || quote_ident(k.conname) || ' on '
    || case when k.contypid <> 0 then 'domain ' || k.contypid::regtype else k.conrelid::regclass::text end, d.description
  from pg_constraint as k join pg_description as d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid
  where k.connamespace = ${namespace}
  union all
  select 'trigger ' || quote_ident(t.tgname) || ' on ' || t.tgrelid::regclass, d.description
  from pg_trigger as t
  join pg_class as c on c.oid = t.tgrelid
  join pg_description as d on d.classoid = 'pg_trigger'::regclass and d.objoid = t.oid
  where c.relnamespace = ${namespace} and c.relowner <> ${platform} and ${isOwnTrigger('t')}
  union all
  select 'policy ' || quote_ident(p.polname) || ' on ' || p.polrelid::regclass, d.description
  from pg_policy as p
  join pg_class as c on c.oid = p.polrelid
  join pg_description as d on d.classoid = 'pg_policy'::regclass and d.objoid = p.oid
  where c.relnamespace = ${namespace} and c.relowner <> ${platform}
  union all
  select 'rule ' || quote_ident(r.rulename) || ' on ' || r.ev_class::regclass, d.description
  from pg_rewrite as r
  join pg_class as c on c.oid = r.ev_class
  join pg_description as d on d.classoid = 'pg_rewrite'::regclass and d.objoid = r.oid
  where c.relnamespace = ${namespace} and c.relowner <> ${platform} and r.rulename <> '_RETURN'
  union all
  select 'statistics ' || s.stxnamespace::regnamespace || '.' || quote_ident(s.stxname), d.description
  from pg_statistic_ext as s
  join pg_description as d on d.classoid = 'pg_statistic_ext'::regclass and d.objoid = s.oid
  where s.stxnamespace = ${namespace}
  union all
  select 'collation ' || c.oid::regcollation, d.description
  from pg_collation as c join pg_description as d on d.classoid = 'pg_collation'::regclass and d.objoid = c.oid
  where c.collnamespace = ${namespace} and c.collowner <> ${platform}
  union all
  select 'conversion ' || c.connamespace::regnamespace || '.' || quote_ident(c.conname), d.description
  from pg_conversion as c join pg_description as d on d.classoid = 'pg_conversion'::regclass and d.objoid = c.oid
  where c.connamespace = ${namespace} and c.conowner <> ${platform}
  union all
  select 'text search dictionary ' || t.oid::regdictionary, d.description
  from pg_ts_dict as t join pg_description as d on d.classoid = 'pg_ts_dict'::regclass and d.objoid = t.oid
  where t.dictnamespace = ${namespace} and t.dictowner <> ${platform}
  union all
  select 'text search configuration ' || t.oid::regconfig, d.description
  from pg_ts_config as t join pg_description as d on d.classoid = 'pg_ts_config'::regclass and d.objoid = t.oid
  where t.cfgnamespace = ${namespace} and t.cfgowner <> ${platform}
  union all
  select 'operator ' || o.oid::regoperator, d.description
  from pg_operator as o join pg_description as d on d.classoid = 'pg_operator'::regclass and d.objoid = o.oid
  where o.oprnamespace = ${namespace} and o.oprowner <> ${platform}
  union all
  select 'cast (' || ${CAST_NAME} || ')', d.description
  from pg_cast as k join pg_description as d on d.classoid = 'pg_cast'::regclass and d.objoid = k.oid
  where exists (
    select from pg_type as t
    where t.oid in (k.castsource, k.casttarget) and t.typnamespace = ${namespace} and t.typowner <> ${platform})
) as commented`,
}
