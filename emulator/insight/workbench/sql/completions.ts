// Lists the names that the SQL editor completes: a project's tables, columns and functions. The cache lasts until the schema
// changes.
import type { SqlCompletions } from '../../../contract/sql-console.ts'
import type { SchemaName } from '../../../core/names.ts'
import { cellText, type Engine } from '../../../database/engine.ts'
import { literal, type Sql, script, sql } from '../../../database/sql.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'

export interface Completions {
  /** @throws {SqlError} */
  of(schemaName: SchemaName): Promise<SqlCompletions>
}

export function createCompletions(engine: Engine, lifecycle: Lifecycle): Completions {
  const kept = new Map<SchemaName, Promise<SqlCompletions>>()
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }) => {
    kept.delete(schemaName)
  }
  lifecycle.listen({ schemaChanged: forget, offline: forget })
  return {
    of: (schemaName) => {
      const known = kept.get(schemaName)
      if (known !== undefined) return known
      const loading = load(engine, schemaName)
      kept.set(schemaName, loading)
      loading.catch(() => {
        if (kept.get(schemaName) === loading) kept.delete(schemaName)
      })
      return loading
    },
  }
}

async function load(engine: Engine, schemaName: SchemaName): Promise<SqlCompletions> {
  const results = await engine.admin(
    schemaName,
    script([sql`set local search_path = pg_catalog`, namesQuery(schemaName)]),
  )
  // The query determines this shape, so the cast is safe.
  return JSON.parse(cellText(results.at(-1)?.rows[0]?.[0]) ?? '') as SqlCompletions
}

function namesQuery(schemaName: SchemaName): Sql {
  const own = sql`${literal(schemaName)}::regnamespace`
  return sql`select json_build_object(
  'tables', (
    select coalesce(json_agg(json_build_object('name', c.relname, 'columns', (
      select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)) order by c.relname), '[]')
    from pg_class as c
    where c.relnamespace = ${own} and c.relkind in ('r', 'p', 'v', 'm', 'f')),
  'functions', (
    select coalesce(json_agg(distinct named.name order by named.name), '[]') from (
      select case n.nspname when 'auth' then 'auth.' else '' end || p.proname as name
      from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
      where p.prokind <> 'a' and p.prorettype <> all (array['trigger', 'event_trigger', 'internal']::regtype[])
        and (n.oid = ${own} or n.nspname in ('auth', 'extensions'))) as named)
)`
}
