// A schema's row-level security policies.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

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

export function policiesQuery(schemaName: SchemaName): Sql {
  return section(
    'policies',
    sql`select 'policy:' || c.relname || '.' || p.polname as key, c.relname as table, p.polname as name,
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
where c.relnamespace = ${namespaceOf(schemaName)}
  and c.relowner <> ${platformOf(schemaName)}`,
  )
}
