// Reads the order in which a schema's objects must be created. Each object is identified by its record's key, which another
// query of this folder builds.
import { isOwnTrigger } from '../own-trigger.ts'
import { type Sql, sql } from '../sql.ts'
import { CAST_NAME } from './expressions.ts'
import type { Queries, Scope } from './records.ts'

export interface DependencyRecord {
  readonly key: string
  /** Key of the dependent object. A column's default has the key `default:<table>.<column>`. */
  readonly from: string
  readonly to: string
}

function nodes({ namespace, platform }: Pick<Scope, 'namespace' | 'platform'>): Sql {
  return sql`
    with relation as materialized (
      select c.oid, c.relname, c.relkind, c.reltype from pg_class as c
      where c.relnamespace = ${namespace} and c.relowner <> ${platform}
    ), own_type as materialized (
      select t.oid, t.typname, t.typrelid, t.typelem, t.typarray, t.typtype from pg_type as t
      where t.typnamespace = ${namespace} and t.typowner <> ${platform}
    ), type_node as (
      select t.oid, t.typarray,
        case when r.relkind in ('r', 'p', 'v', 'm') then 'relation:' || r.relname else 'type:' || t.typname end as key
      from own_type as t left join relation as r on r.oid = t.typrelid
      where t.typtype in ('e', 'd', 'r', 'c')
    )
    select 'pg_class'::regclass::oid as classid, r.oid as objid, null::text as kind, 'relation:' || r.relname as key
    from relation as r where r.relkind in ('r', 'p', 'v', 'm')
    union all
    select 'pg_class'::regclass, r.oid, null, 'type:' || r.relname from relation as r where r.relkind = 'c'
    union all
    select 'pg_class'::regclass, r.oid, null, coalesce('relation:' || t.relname, 'sequence:' || r.relname)
    from relation as r
    left join pg_depend as d on d.classid = 'pg_class'::regclass and d.objid = r.oid and d.deptype = 'i'
    left join relation as t on t.oid = d.refobjid
    where r.relkind = 'S'
    union all
    select 'pg_class'::regclass, r.oid, 'i', coalesce('constraint:' || t.relname || '.' || k.conname, 'index:' || r.relname)
    from relation as r
    join pg_index as i on i.indexrelid = r.oid
    join relation as t on t.oid = i.indrelid
    left join pg_constraint as k on k.conindid = r.oid and k.contype in ('p', 'u', 'x')
    union all
    select 'pg_type'::regclass, t.oid, null, t.key from type_node as t
    union all
    select 'pg_type'::regclass, t.typarray, null, t.key from type_node as t where t.typarray <> 0
    union all
    select 'pg_type'::regclass, r.rngmultitypid, null, t.key
    from pg_range as r join type_node as t on t.oid = r.rngtypid
    union all
    select 'pg_proc'::regclass, p.oid, null, 'routine:' || p.oid::regprocedure
    from pg_proc as p where p.pronamespace = ${namespace} and p.proowner <> ${platform}
    union all
    select 'pg_attrdef'::regclass, ad.oid, null,
      case when a.attgenerated <> '' then 'relation:' || r.relname else 'default:' || r.relname || '.' || a.attname end
    from pg_attrdef as ad
    join relation as r on r.oid = ad.adrelid
    join pg_attribute as a on a.attrelid = ad.adrelid and a.attnum = ad.adnum
    union all
    select 'pg_constraint'::regclass, k.oid, null, coalesce('type:' || t.typname,
      case when k.contype = 'n' then 'relation:' || r.relname else 'constraint:' || r.relname || '.' || k.conname end)
    from pg_constraint as k
    left join relation as r on r.oid = k.conrelid
    left join own_type as t on t.oid = k.contypid
    where k.connamespace = ${namespace} and (r.oid is not null or t.oid is not null)
    union all
    select 'pg_rewrite'::regclass, w.oid, null,
      case when w.rulename = '_RETURN' then 'relation:' || r.relname else 'rule:' || r.relname || '.' || w.rulename end
    from pg_rewrite as w join relation as r on r.oid = w.ev_class
    union all
    select 'pg_trigger'::regclass, t.oid, null, 'trigger:' || r.relname || '.' || t.tgname
    from pg_trigger as t join relation as r on r.oid = t.tgrelid where ${isOwnTrigger('t')}
    union all
    select 'pg_policy'::regclass, p.oid, null, 'policy:' || r.relname || '.' || p.polname
    from pg_policy as p join relation as r on r.oid = p.polrelid
    union all
    select 'pg_statistic_ext'::regclass, s.oid, null, 'statistics:' || s.stxname
    from pg_statistic_ext as s where s.stxnamespace = ${namespace}
    union all
    select 'pg_collation'::regclass, c.oid, null, 'collation:' || c.collname
    from pg_collation as c where c.collnamespace = ${namespace} and c.collowner <> ${platform}
    union all
    select 'pg_ts_dict'::regclass, d.oid, null, 'dictionary:' || d.dictname
    from pg_ts_dict as d where d.dictnamespace = ${namespace} and d.dictowner <> ${platform}
    union all
    select 'pg_ts_config'::regclass, c.oid, null, 'configuration:' || c.cfgname
    from pg_ts_config as c where c.cfgnamespace = ${namespace} and c.cfgowner <> ${platform}
    union all
    select 'pg_operator'::regclass, o.oid, null, 'operator:' || o.oid::regoperator
    from pg_operator as o where o.oprnamespace = ${namespace} and o.oprowner <> ${platform}
    union all
    select 'pg_cast'::regclass, k.oid, null, 'cast:' || ${CAST_NAME}
    from pg_cast as k
    where k.castsource in (select oid from own_type) or k.casttarget in (select oid from own_type)`
}

export const DEPENDENCY_QUERIES: Queries = {
  /**
   * A table also depends on what its row type, NOT NULLs, generated and identity columns need. A view also depends on what its
   * query needs. An owned sequence does not depend on its column, because ownership is set afterwards. A partitioned index
   * depends on the indexes of its partitions (Postgres records the reverse). The partitions' indexes are created first, and
   * Postgres then attaches them.
   */
  dependencies: ({ namespace, platform }) => sql`
select needing || ' > ' || needed as key, needing as "from", needed as "to"
from (
  with node as materialized (${nodes({ namespace, platform })})
  select f.key, t.key
  from node as f
  join pg_depend as d on d.classid = f.classid and d.objid = f.objid and d.deptype not in ('P', 'S')
  join node as t on t.classid = d.refclassid and t.objid = d.refobjid
  where f.key <> t.key and not (d.deptype = 'a' and f.key like 'sequence:%')
  union
  select p.key, c.key
  from pg_inherits as i
  join node as c on c.classid = 'pg_class'::regclass and c.objid = i.inhrelid and c.kind = 'i'
  join node as p on p.classid = 'pg_class'::regclass and p.objid = i.inhparent
) as edge(needing, needed)`,
}
