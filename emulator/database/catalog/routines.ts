// A schema's functions, procedures and aggregates.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql, verbatim } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

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

export function routinesQuery(schemaName: SchemaName): Sql {
  return section(
    'routines',
    sql`select 'routine:' || p.oid::regprocedure as key, p.oid::regprocedure::text as signature,
  case p.prokind when 'f' then 'function' when 'p' then 'procedure' when 'a' then 'aggregate' else 'window' end as kind,
  case when p.prokind <> 'a' then pg_get_functiondef(p.oid) end as definition,
  case when p.prokind = 'a' then json_build_object(
    'name', p.pronamespace::regnamespace::text || '.' || quote_ident(p.proname),
    'arguments', coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'),
    'hypothetical', a.aggkind = 'h',
    'options', ${AGGREGATE_OPTIONS}) end as aggregate
from pg_proc as p
left join pg_aggregate as a on a.aggfnoid = p.oid
where p.pronamespace = ${namespaceOf(schemaName)}
  and p.proowner <> ${platformOf(schemaName)}`,
  )
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
