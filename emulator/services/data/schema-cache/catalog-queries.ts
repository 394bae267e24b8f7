// Catalogue queries about one schema. Each query returns one JSON document. No query runs a tenant's code: defaults and types are
// returned as text only.
import { literal, type Sql, sql } from '../../../database/sql.ts'

// The base type of a domain, which may be based on another domain. The queries use this recursion for domains only, because the
// recursion is slow.
const BASE_OF_TYPE = baseOf(sql`type.oid`)
const BASE_OF_RETURNED = baseOf(sql`returned.oid`)

function baseOf(domain: Sql): Sql {
  return sql`(
    with recursive chain as (
      select oid, typtype, typbasetype from pg_type where oid = ${domain}
      union all
      select next.oid, next.typtype, next.typbasetype
      from chain join pg_type as next on next.oid = chain.typbasetype where chain.typtype = 'd')
    select oid from chain where typtype <> 'd')`
}

/** Relations with their columns and primary keys. */
export function tablesQuery(schema: string): Sql {
  return sql`
    with relation as materialized (
      select member.oid, relname, relkind
      from (${relationsIn(namespaceOid(schema))}) as member
      where relkind in ('r', 'p', 'v', 'm', 'f')
        and not relispartition
    )
    select coalesce(json_agg(json_build_object(
      'name', relation.relname,
      'comment', obj_description(relation.oid, 'pg_class'),
      'isView', relation.relkind in ('v', 'm'),
      'isBase', relation.relkind in ('r', 'p'),
      'updatable', case when relation.relkind in ('v', 'f') then pg_relation_is_updatable(relation.oid, true) end,
      'keyColumns', (
        select json_agg(attribute.attname order by attribute.attname)
        from pg_constraint as pkey
        join pg_attribute as attribute
          on attribute.attrelid = pkey.conrelid and attribute.attnum = any (pkey.conkey)
        where pkey.conrelid = relation.oid and pkey.contype = 'p'),
      'columns', (
        select json_agg(json_build_object(
        'name', attribute.attname,
        'comment', col_description(attribute.attrelid, attribute.attnum),
        'isNullable', not (attribute.attnotnull or type.typtype = 'd' and type.typnotnull),
        'type', format_type(attribute.atttypid, attribute.atttypmod),
        'baseType', case
          when type.typtype = 'd' then coalesce(
            (select format_type(base.oid, null) from pg_type as base
              where base.oid = ${BASE_OF_TYPE} and base.typnamespace = 'pg_catalog'::regnamespace),
            format_type(attribute.atttypid, attribute.atttypmod))
          when type.typnamespace = 'pg_catalog'::regnamespace then format_type(attribute.atttypid, null)
          else format_type(attribute.atttypid, attribute.atttypmod) end,
        'maxLength', information_schema._pg_char_max_length(
          case when type.typtype = 'd' then type.typbasetype else type.oid end,
          case when type.typtype = 'd' then type.typtypmod else attribute.atttypmod end),
        'defaultExpression', case
          when attribute.attidentity = 'd' then format('nextval(%L)', pg_get_serial_sequence(
            format('%I.%I', ${literal(schema)}, relation.relname), attribute.attname))
          when attribute.attgenerated <> '' then null
          when stored.adbin is not null then pg_get_expr(stored.adbin, stored.adrelid)
          when type.typtype = 'd' then pg_get_expr(type.typdefaultbin, 0) end,
        'enumValues', case when type.typtype in ('d', 'e') then (
          select coalesce(json_agg(label.enumlabel order by label.enumsortorder), '[]')
          from pg_enum as label
          where label.enumtypid = case when type.typtype = 'd' then ${BASE_OF_TYPE} else type.oid end) end
      ) order by attribute.attnum)
        from pg_attribute as attribute
        join pg_type as type on type.oid = attribute.atttypid
        left join pg_attrdef as stored
          on stored.adrelid = attribute.attrelid and stored.adnum = attribute.attnum
        where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped)
      )), '[]')
    from relation`
}

/** Foreign keys from or to the schema's tables. Foreign keys of partitions are listed for the partitioned table only. */
export function foreignKeysQuery(schema: string): Sql {
  return sql`
    with space as materialized (
      select ${namespaceOid(schema)} as oid
      union
      select (select relnamespace from pg_class where pg_class.oid = reached.oid)
      from (${reachedByViews(schema)}) as reached
    ), relation as materialized (
      select member.oid from space cross join lateral (${relationsIn(sql`space.oid`)}) as member
    ), key as materialized (
      select own.oid from relation cross join lateral (
        select oid from pg_constraint where conrelid = relation.oid and contype = 'f' offset 0) as own
      union
      select other.objid from relation cross join lateral (
        select objid from pg_depend
        where refclassid = 'pg_class'::regclass and refobjid = relation.oid
          and classid = 'pg_constraint'::regclass offset 0) as other
    )
    select coalesce(json_agg(json_build_object(
      'constraint', fkey.conname,
      'schema', own_space.nspname,
      'table', own.relname,
      'foreignSchema', other_space.nspname,
      'foreignTable', other.relname,
      'columns', (
        select json_agg(json_build_array(mine.attname, theirs.attname) order by pair.position)
        from unnest(fkey.conkey, fkey.confkey) with ordinality as pair (own, other, position)
        join pg_attribute as mine on mine.attrelid = fkey.conrelid and mine.attnum = pair.own
        join pg_attribute as theirs on theirs.attrelid = fkey.confrelid and theirs.attnum = pair.other),
      'isUnique', exists (
        select from pg_constraint as ukey
        where ukey.conrelid = fkey.conrelid and ukey.contype in ('p', 'u')
          and ukey.conkey @> fkey.conkey and ukey.conkey <@ fkey.conkey)
    ) order by own_space.nspname, own.relname, fkey.conname), '[]')
    from key
    cross join lateral (
      select * from pg_constraint
      where pg_constraint.oid = key.oid and contype = 'f' and conparentid = 0 offset 0) as fkey
    join pg_class as own on own.oid = fkey.conrelid
    join pg_namespace as own_space on own_space.oid = own.relnamespace
    join pg_class as other on other.oid = fkey.confrelid
    join pg_namespace as other_space on other_space.oid = other.relnamespace`
}

/** The schema's views with their parse trees, and every relation that these views read, including other schemas' relations. */
export function viewsQuery(schema: string): Sql {
  return sql`
    select coalesce(json_agg(json_build_object(
      'oid', relation.oid::text,
      'schema', namespace.nspname,
      'name', relation.relname,
      'columns', (
        select json_agg(json_build_array(attribute.attnum::text, attribute.attname))
        from pg_attribute as attribute
        where attribute.attrelid = relation.oid and attribute.attnum > 0),
      'keyColumns', (
        select json_agg(attribute.attname order by attribute.attname)
        from pg_constraint as pkey
        join pg_attribute as attribute
          on attribute.attrelid = pkey.conrelid and attribute.attnum = any (pkey.conkey)
        where pkey.conrelid = relation.oid and pkey.contype = 'p'),
      'rule', rule.ev_action::text
    ) order by relation.oid), '[]')
    from (${reachedByViews(schema)}) as reached
    cross join lateral (
      select * from pg_class where pg_class.oid = reached.oid offset 0) as relation
    join pg_namespace as namespace on namespace.oid = relation.relnamespace
    left join pg_rewrite as rule
      on rule.ev_class = relation.oid and rule.rulename = '_RETURN'`
}

function reachedByViews(schema: string): Sql {
  return sql`
    with recursive reached as (
      select member.oid from (${relationsIn(namespaceOid(schema))}) as member
      where relkind in ('v', 'm')
      union
      select below.oid
      from reached
      cross join lateral (
        select dependency.refobjid as oid
        from pg_rewrite as rule
        join pg_depend as dependency
          on dependency.classid = 'pg_rewrite'::regclass and dependency.objid = rule.oid
          and dependency.refclassid = 'pg_class'::regclass
        where rule.ev_class = reached.oid
        offset 0) as below)
    select oid from reached`
}

/** Casts between a domain and JSON or text that are defined by a function. */
export function representationsQuery(): Sql {
  return sql`
    select coalesce(json_agg(json_build_object(
      'source', format_type(cast_.castsource, null),
      'target', format_type(cast_.casttarget, null),
      'routine', cast_.castfunc::regproc::text)), '[]')
    from pg_cast as cast_
    join pg_type as source on source.oid = cast_.castsource
    join pg_type as target on target.oid = cast_.casttarget
    where cast_.castcontext = 'i' and cast_.castmethod = 'f'
      and (source.typtype = 'd' and target.oid in ('json'::regtype, 'text'::regtype)
        or target.typtype = 'd' and source.oid in ('json'::regtype, 'text'::regtype))`
}

/** Whether PostGIS is installed. Checks the extension, because a tenant may define a function of the same name. */
export function geoJsonQuery(): Sql {
  return sql`select count(*) from pg_extension where extname = 'postgis'`
}

/** Aggregates and functions whose return type is a domain named like a media type, such as "text/csv". */
export function mediaHandlersQuery(schema: string): Sql {
  return sql`
    with media as (
      select domain.oid, lower(domain.typname) as name, domain.typname, space.nspname
      from pg_type as domain
      join pg_namespace as space on space.oid = domain.typnamespace
      where domain.typtype = 'd'
        and (domain.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$' or domain.typname = '*/*')
    )
    select coalesce(json_agg(json_build_object(
      'mediaType', media.name,
      'schema', case when routine.prokind = 'a' then routine_space.nspname else media.nspname end,
      'name', case when routine.prokind = 'a' then routine.proname else media.typname end,
      'targetSchema', case when routine.prokind = 'a' then row_space.nspname else routine_space.nspname end,
      'target', case when routine.prokind = 'a' then row_of.relname else routine.proname end
    ) order by routine.oid), '[]')
    from media
    join pg_proc as routine on routine.prorettype = media.oid
    join pg_namespace as routine_space on routine_space.oid = routine.pronamespace
    left join pg_class as row_of
      on row_of.reltype = routine.proargtypes[0] and row_of.relkind in ('r', 'p', 'v', 'm', 'f')
    left join pg_namespace as row_space on row_space.oid = row_of.relnamespace
    where routine.pronamespace = ${namespaceOid(schema)} and (
      routine.prokind = 'f' and not routine.proretset
      or routine.prokind = 'a' and routine.pronargs = 1
        and (row_of.oid is not null or routine.proargtypes[0] = 'anyelement'::regtype))`
}

/** Functions that callers can call by name, with their input parameters. */
export function routinesQuery(schema: string): Sql {
  return sql`
    select coalesce(json_agg(json_build_object(
      'name', routine.proname,
      'oid', routine.oid::text,
      'comment', obj_description(routine.oid, 'pg_proc'),
      'hasNames', routine.proargnames is not null,
      'required', routine.pronargs - routine.pronargdefaults,
      'parameters', (
        select coalesce(json_agg(json_build_object(
          'name', coalesce(argument.name, ''),
          'type', format_type(argument.type, null),
          'isVariadic', argument.mode = 'v') order by argument.position), '[]')
        from unnest(
          coalesce(routine.proallargtypes, routine.proargtypes::oid[]), routine.proargnames,
          routine.proargmodes) with ordinality as argument (type, name, mode, position)
        where coalesce(argument.mode, 'i') in ('i', 'b', 'v')),
      'isSet', routine.proretset,
      'isComposite', base.typtype = 'c' or coalesce(routine.proargmodes::text[] && '{t,b,o}', false),
      'isDomain', base.oid <> routine.prorettype,
      'returnSchema', namespace.nspname,
      'returnName', coalesce(row_of.relname, base.typname),
      'volatility', routine.provolatile,
      'hasVariadic', routine.provariadic <> 0,
      'settings', to_json(coalesce(routine.proconfig, '{}'))
    ) order by routine.proname, routine.pronargs, routine.oid), '[]')
    from pg_proc as routine
    join pg_type as returned on returned.oid = routine.prorettype
    join pg_type as base
      on base.oid = case when returned.typtype = 'd' then ${BASE_OF_RETURNED} else returned.oid end
    join pg_namespace as namespace on namespace.oid = base.typnamespace
    left join pg_class as row_of on row_of.oid = base.typrelid
    where routine.pronamespace = ${namespaceOid(schema)}
      and routine.prokind = 'f'
      and base.oid <> 'trigger'::regtype`
}

/** Functions that take a row of one relation and return rows of another: computed relationships. */
export function computedRelationshipsQuery(schema: string): Sql {
  return sql`
    select coalesce(json_agg(json_build_object(
      'schema', own_space.nspname, 'name', routine.proname,
      'tableSchema', source_space.nspname, 'table', source.relname,
      'foreignSchema', target_space.nspname, 'foreignTable', target.relname,
      'isToOne', not routine.proretset or routine.prorows = 1
    ) order by routine.proname), '[]')
    from (${relationsIn(namespaceOid(schema))}) as source
    cross join lateral (
      select distinct objid from pg_depend
      where refclassid = 'pg_type'::regclass and refobjid = source.reltype
        and classid = 'pg_proc'::regclass offset 0) as taking
    cross join lateral (
      select * from pg_proc where pg_proc.oid = taking.objid offset 0) as routine
    join pg_namespace as own_space on own_space.oid = routine.pronamespace
    join pg_namespace as source_space on source_space.oid = source.relnamespace
    join pg_type as returned on returned.oid = routine.prorettype
    join pg_class as target on target.oid = returned.typrelid and target.reltype = returned.oid
    join pg_namespace as target_space on target_space.oid = target.relnamespace
    where routine.pronargs = 1 and routine.proargtypes[0] = source.reltype and source.reltype <> 0
      and source.relkind in ('r', 'p', 'v', 'm', 'f') and target.relkind in ('r', 'p', 'v', 'm', 'f')`
}

/**
 * The schema's rows of pg_class. The catalogue contains all projects, and no index of pg_class begins with the schema. A scan
 * would get slower with each project, so the query looks up what depends on the schema, and then each row by its oid.
 */
function relationsIn(namespace: Sql): Sql {
  return sql`
    select relation.* from (
      select distinct objid from pg_depend
      where refclassid = 'pg_namespace'::regclass and refobjid = ${namespace}
        and classid = 'pg_class'::regclass offset 0) as dependent
    cross join lateral (
      select * from pg_class where pg_class.oid = dependent.objid offset 0) as relation`
}

function namespaceOid(schema: string): Sql {
  return sql`(select oid from pg_namespace where nspname = ${literal(schema)})`
}
