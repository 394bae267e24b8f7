// A schema's own operators, and the casts from or to its types. Operator classes and casts WITHOUT FUNCTION are not read,
// because only a superuser can create them.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql, verbatim } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

export interface OperatorRecord {
  readonly key: string
  /** Qualified name. */
  readonly name: string
  /** `create operator`'s options with their values as SQL; a flag has the value `true`. */
  readonly options: Readonly<Record<string, string>>
}

export interface CastRecord {
  readonly key: string
  /** Qualified type names. */
  readonly source: string
  readonly target: string
  /** Signature of the cast's function; absent when the cast converts through text (WITH INOUT). */
  readonly function?: string
  readonly context: 'explicit' | 'assignment' | 'implicit'
}

/** The name of a cast in `create cast` and `comment on cast`; the query calls its `pg_cast` row `k`. */
export const CAST_NAME: Sql = verbatim(
  `format_type(k.castsource, null) || ' as ' || format_type(k.casttarget, null)`,
)

/**
 * Lists `OperatorRecord`s. Leaves out shell operators, which Postgres adds for a commutator or negator that does not exist yet.
 */
export function operatorsQuery(schemaName: SchemaName): Sql {
  return section(
    'operators',
    sql`select 'operator:' || o.oid::regoperator as key,
  o.oprnamespace::regnamespace::text || '.' || o.oprname as name,
  ${OPERATOR_OPTIONS} as options
from pg_operator as o
left join pg_operator as c on c.oid = o.oprcom
left join pg_operator as n on n.oid = o.oprnegate
where o.oprnamespace = ${namespaceOf(schemaName)}
  and o.oprowner <> ${platformOf(schemaName)}
  and o.oprcode <> 0`,
  )
}

/** Lists `CastRecord`s. Leaves out the casts from ranges to multiranges, which Postgres creates itself. */
export function castsQuery(schemaName: SchemaName): Sql {
  return section(
    'casts',
    sql`with own_type as materialized (
  select t.oid from pg_type as t
  where t.typnamespace = ${namespaceOf(schemaName)} and t.typowner <> ${platformOf(schemaName)}
)
select 'cast:' || ${CAST_NAME} as key,
  format_type(k.castsource, null) as source,
  format_type(k.casttarget, null) as target,
  case when k.castfunc <> 0 then k.castfunc::regprocedure::text end as function,
  case k.castcontext when 'i' then 'implicit' when 'a' then 'assignment' else 'explicit' end as context
from pg_cast as k
where k.castmethod in ('f', 'i')
  and (k.castsource in (select oid from own_type) or k.casttarget in (select oid from own_type))
  and not exists (
    select from pg_depend as d
    where d.classid = 'pg_cast'::regclass and d.objid = k.oid and d.deptype = 'i')`,
  )
}

const OPERATOR_OPTIONS: Sql = verbatim(`json_build_object(
    'function', o.oprcode::regproc::text,
    'leftarg', case when o.oprleft <> 0 then format_type(o.oprleft, null) end,
    'rightarg', format_type(o.oprright, null),
    'commutator', 'operator(' || c.oprnamespace::regnamespace || '.' || c.oprname || ')',
    'negator', 'operator(' || n.oprnamespace::regnamespace || '.' || n.oprname || ')',
    'restrict', nullif(o.oprrest, 0)::regproc::text,
    'join', nullif(o.oprjoin, 0)::regproc::text,
    'hashes', case when o.oprcanhash then 'true' end,
    'merges', case when o.oprcanmerge then 'true' end)`)
