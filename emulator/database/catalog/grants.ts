// Privileges on a schema's objects, and the owner's default privileges for later objects.
import { type Sql, sql } from '../sql.ts'
import type { Queries } from './records.ts'

export interface Privileges {
  /** Role name; `public` means every role. */
  readonly grantee: string
  readonly grantable: boolean
  readonly privileges: readonly string[]
}

/** Privileges on one object. A routine, type or column has no record while it has Postgres's initial privileges. */
export interface GrantRecord {
  readonly key: string
  /** The keyword that follows `grant … on`. */
  readonly on: 'table' | 'sequence' | 'routine' | 'type'
  /** The object's qualified name, or a routine's signature. */
  readonly object: string
  /** The column's quoted name when the privileges are on one column. */
  readonly column?: string
  readonly entries: readonly Privileges[]
}

/** One entry of the owner's default privileges (`pg_default_acl`). */
export interface DefaultPrivilegesRecord {
  readonly key: string
  readonly on: 'tables' | 'sequences' | 'functions' | 'types' | 'schemas'
  /**
   * When true, the privileges apply in this schema and add to Postgres's initial privileges. When false, the privileges apply
   * in every schema and replace Postgres's initial privileges.
   */
  readonly inSchema: boolean
  readonly entries: readonly Privileges[]
}

function entriesOf(acl: Sql): Sql {
  return sql`(
    select coalesce(json_agg(entry order by entry.grantee, entry.grantable), '[]') from (
      select case when x.grantee = 0 then 'public' else pg_get_userbyid(x.grantee)::text end as grantee,
        x.is_grantable as grantable, json_agg(x.privilege_type order by x.privilege_type) as privileges
      from aclexplode(${acl}) as x group by 1, 2) as entry)`
}

export const GRANT_QUERIES: Queries = {
  grants: ({ namespace, platform }) => sql`
select "on" || ':' || object || coalesce('.' || "column", '') as key, "on", object, "column",
  ${entriesOf(sql`acl`)} as entries
from (
  select case c.relkind when 'S' then 'sequence' else 'table' end as "on", c.oid::regclass::text as object,
    null::text as "column",
    coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)) as acl
  from pg_class as c
  where c.relnamespace = ${namespace} and c.relowner <> ${platform} and c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'table', c.oid::regclass::text, quote_ident(a.attname), a.attacl
  from pg_attribute as a join pg_class as c on c.oid = a.attrelid
  where c.relnamespace = ${namespace} and c.relowner <> ${platform} and not a.attisdropped
  union all
  select 'routine', p.oid::regprocedure::text, null, p.proacl
  from pg_proc as p where p.pronamespace = ${namespace} and p.proowner <> ${platform}
  union all
  select 'type', t.oid::regtype::text, null, t.typacl
  from pg_type as t where t.typnamespace = ${namespace} and t.typowner <> ${platform}
) as granted
where acl is not null`,

  defaultPrivileges: ({ namespace, owner }) => sql`
select d.defaclobjtype::text || case when d.defaclnamespace = 0 then '' else ':schema' end as key,
  case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions'
    when 'T' then 'types' else 'schemas' end as "on",
  d.defaclnamespace <> 0 as "inSchema",
  ${entriesOf(sql`d.defaclacl`)} as entries
from pg_default_acl as d
where d.defaclrole = ${owner}
  and d.defaclnamespace in (0, ${namespace})
  and d.defaclobjtype in ('r', 'S', 'f', 'T', 'n')`,
}
