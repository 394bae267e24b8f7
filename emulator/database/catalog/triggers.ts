// Triggers and rewrite rules of a schema's relations, except the rules that are views' queries.
import type { SchemaName } from '../../core/names.ts'
import { type Sql, sql } from '../sql.ts'
import { namespaceOf, platformOf, section } from './records.ts'

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

/**
 * Lists triggers as `FiringRecord`s. A partition's copy of a trigger is listed only when its firing state differs from
 * `origin`.
 */
export function triggersQuery(schemaName: SchemaName): Sql {
  return section(
    'triggers',
    sql`select 'trigger:' || c.relname || '.' || t.tgname as key, c.relname as table, t.tgname as name,
  case when t.tgparentid = 0 then pg_get_triggerdef(t.oid) end as definition,
  case t.tgenabled when 'O' then 'origin' when 'D' then 'disabled' when 'R' then 'replica' else 'always' end as firing
from pg_trigger as t
join pg_class as c on c.oid = t.tgrelid
where c.relnamespace = ${namespaceOf(schemaName)}
  and c.relowner <> ${platformOf(schemaName)}
  and not t.tgisinternal
  and (t.tgparentid = 0 or t.tgenabled <> 'O')`,
  )
}

/** Lists rules as `FiringRecord`s. */
export function rulesQuery(schemaName: SchemaName): Sql {
  return section(
    'rules',
    sql`select 'rule:' || c.relname || '.' || r.rulename as key, c.relname as table, r.rulename as name,
  rtrim(pg_get_ruledef(r.oid), ';') as definition,
  case r.ev_enabled when 'O' then 'origin' when 'D' then 'disabled' when 'R' then 'replica' else 'always' end as firing
from pg_rewrite as r
join pg_class as c on c.oid = r.ev_class
where c.relnamespace = ${namespaceOf(schemaName)}
  and c.relowner <> ${platformOf(schemaName)}
  and r.rulename <> '_RETURN'`,
  )
}
