// The catalogue query behind table.ts. Returns one JSON object per table, with the members of `Table` or `SecuredTable`.
// Functions are schema-qualified, because the project's own functions come first in the search path.
import type { SchemaName } from '../../core/names.ts'
import { EMPTY, join, literal, type Sql, sql } from '../../database/sql.ts'

/** The query for the tables called `names`, or for all tables when the list is empty. */
export function tablesQuery(
  schemaName: SchemaName,
  names: readonly string[],
  withSecurity: boolean,
): Sql {
  return sql`${foreignKeysOf(schemaName)}
select pg_catalog.json_build_object(
  'name', c.relname,
  'kind', case c.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
    when 'm' then 'materialized_view' else 'foreign_table' end,
  'isClosed', c.relowner = n.nspowner,
  'hasRowSecurity', c.relrowsecurity,
  'forcesRowSecurity', c.relforcerowsecurity,
  'policyCount', (select pg_catalog.count(*) from pg_catalog.pg_policy as p where p.polrelid = c.oid),
  'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
  'columns', ${COLUMNS},
  'key', (select coalesce(pg_catalog.json_agg(a.attname order by k.place), '[]')
    from pg_catalog.pg_index as i
    cross join pg_catalog.unnest(i.indkey::pg_catalog.int2[]) with ordinality as k (attnum, place)
    join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = c.oid and i.indisprimary and k.place <= i.indnkeyatts),
  'indexes', ${INDEXES},
  'foreignKeys', ${foreignKeys(sql`k.conrelid = c.oid`)},
  'referencedBy', ${foreignKeys(sql`k.confrelid = c.oid`)}${withSecurity ? SECURITY : EMPTY})
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = ${literal(schemaName)} and c.relkind in ('r', 'p', 'v', 'm', 'f')
  ${names.length === 0 ? EMPTY : sql`and c.relname in (${join(names.map(literal))})`}
order by c.relname`
}

// The shape and choices of a domain come from the domain's base type.
const COLUMNS: Sql = sql`(
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname,
      'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'shape', case when base.oid in ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype) then base.typname
        when base.typcategory = 'A' then 'array' when base.typtype = 'c' then 'composite' else 'plain' end,
      'isNullable', not a.attnotnull and not (t.typtype = 'd' and t.typnotnull),
      'default', case when a.attgenerated = '' then
        coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), t.typdefault) end,
      'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
      'generation', case when a.attgenerated <> '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
      'isNumbered', a.attidentity <> '' or exists (select from pg_catalog.pg_depend as needs
        join pg_catalog.pg_class as s on s.oid = needs.refobjid and s.relkind = 'S'
        where needs.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and needs.objid = d.oid
          and needs.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass),
      'choices', (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder)
        from pg_catalog.pg_enum as e where e.enumtypid = base.oid),
      'comment', pg_catalog.col_description(c.oid, a.attnum)) order by a.attnum), '[]')
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    join pg_catalog.pg_type as base on base.oid = case when t.typtype <> 'd' then t.oid else (
      with recursive under as (
        select t.typbasetype as oid
        union all
        select b.typbasetype from under join pg_catalog.pg_type as b on b.oid = under.oid
        where b.typtype = 'd')
      select b.oid from under join pg_catalog.pg_type as b on b.oid = under.oid
      where b.typtype <> 'd') end
    left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`

const INDEXES: Sql = sql`(
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', x.relname,
      'is_unique', i.indisunique,
      'constraint', case k.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'x' then 'exclusion' end,
      'definition', pg_catalog.substring(pg_catalog.pg_get_indexdef(x.oid), ' USING (.*)$'))
      order by i.indisprimary desc, x.relname), '[]')
    from pg_catalog.pg_index as i
    join pg_catalog.pg_class as x on x.oid = i.indexrelid
    left join pg_catalog.pg_constraint as k on k.conindid = x.oid and k.conrelid = c.oid and k.contype in ('p', 'u', 'x')
    where i.indrelid = c.oid)`

// The catalogue has no index for the foreign keys that refer to a table. The query therefore finds the schema's foreign keys once
// for all tables.
function foreignKeysOf(schemaName: SchemaName): Sql {
  return sql`with foreign_keys as materialized (
  select k.conname, k.conrelid, k.conkey, k.confrelid, k.confkey, f.relname
  from pg_catalog.pg_constraint as k
  join pg_catalog.pg_class as f on f.oid = k.conrelid
  join pg_catalog.pg_namespace as n on n.oid = f.relnamespace
  where n.nspname = ${literal(schemaName)} and k.contype = 'f' and k.conparentid = 0)`
}

function foreignKeys(which: Sql): Sql {
  return sql`(
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', k.conname,
      'table', k.relname,
      'columns', ${namesOf(sql`k.conrelid`, sql`k.conkey`)},
      'target_table', g.relname,
      'target_columns', ${namesOf(sql`k.confrelid`, sql`k.confkey`)},
      'is_unique', ${IS_UNIQUE}) order by k.relname, k.conname), '[]')
    from foreign_keys as k
    join pg_catalog.pg_class as g on g.oid = k.confrelid
    where ${which})`
}

// Whether a unique index exists over the foreign key's columns or over some of them. Partial indexes do not count, because they
// do not cover all rows.
const IS_UNIQUE: Sql = sql`exists (select from pg_catalog.pg_index as u
        where u.indrelid = k.conrelid and u.indisunique and u.indpred is null and u.indexprs is null
          and (u.indkey::pg_catalog.int2[])[0:u.indnkeyatts - 1] operator(pg_catalog.<@) k.conkey)`

function namesOf(relation: Sql, numbers: Sql): Sql {
  return sql`(
        select pg_catalog.json_agg(a.attname order by named.position)
        from pg_catalog.unnest(${numbers}) with ordinality as named (number, position)
        join pg_catalog.pg_attribute as a on a.attrelid = ${relation} and a.attnum = named.number)`
}

const POLICY: Sql = sql`pg_catalog.json_build_object(
    'name', p.polname, 'permissive', p.polpermissive,
    'command', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
      when 'd' then 'delete' else 'all' end,
    'roles', array(select case when r.oid = 0 then 'public' else pg_catalog.pg_get_userbyid(r.oid) end
      from pg_catalog.unnest(p.polroles) as r (oid) order by 1),
    'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
    'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid),
    'appliesTo', array(select role.rolname from pg_catalog.pg_roles as role
      where role.rolname in ('anon', 'authenticated', 'service_role')
        and exists (select from pg_catalog.unnest(p.polroles) as r (oid)
          where r.oid = 0 or pg_catalog.pg_has_role(role.oid, r.oid, 'usage'))
      order by role.rolname))`

const ACCESS: Sql = sql`pg_catalog.json_build_object(
    'schema', pg_catalog.has_schema_privilege(role.oid, n.oid, 'usage'),
    'bypasses', role.rolbypassrls or role.rolsuper,
    'owns', pg_catalog.pg_has_role(role.oid, c.relowner, 'usage'),
    'privileges', array(select privilege from pg_catalog.unnest(array['DELETE', 'INSERT', 'SELECT', 'UPDATE']) as privilege
      where pg_catalog.has_table_privilege(role.oid, c.oid, privilege)),
    'columns', pg_catalog.json_build_object(
      ${onColumns('INSERT')}, ${onColumns('SELECT')}, ${onColumns('UPDATE')}))`

function onColumns(privilege: string): Sql {
  return sql`${literal(privilege)}, array(select a.attname from pg_catalog.pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and not pg_catalog.has_table_privilege(role.oid, c.oid, ${literal(privilege)})
        and pg_catalog.has_column_privilege(role.oid, c.oid, a.attnum, ${literal(privilege)})
      order by a.attnum)`
}

// Tables with row-level security that a view reads with its owner's rights, if their policies do not apply to this owner.
const BYPASSED_TABLES: Sql = sql`array(select distinct under.relname
    from pg_catalog.pg_rewrite as rule
    join pg_catalog.pg_depend as needs on needs.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      and needs.objid = rule.oid and needs.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class as under on under.oid = needs.refobjid
    where rule.ev_class = c.oid and under.oid <> c.oid and under.relrowsecurity
      and c.relkind in ('v', 'm') and under.relowner = c.relowner and not under.relforcerowsecurity
    order by under.relname)`

const SECURITY: Sql = sql`,
  'owner', pg_catalog.pg_get_userbyid(c.relowner),
  'securityInvoker', coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false),
  'bypassedTables', ${BYPASSED_TABLES},
  'policies', (select coalesce(pg_catalog.json_agg(${POLICY} order by p.polname), '[]')
    from pg_catalog.pg_policy as p where p.polrelid = c.oid),
  'access', (select pg_catalog.json_object_agg(role.rolname, ${ACCESS})
    from pg_catalog.pg_roles as role where role.rolname in ('anon', 'authenticated', 'service_role'))`
