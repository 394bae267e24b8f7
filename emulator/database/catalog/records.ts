// Shared parts of the catalogue's queries. Each query returns one JSON list under its section's name, so that all of them run
// in one round trip. The queries run with `search_path = pg_catalog`, so that a tenant's objects cannot shadow catalogue
// functions. The queries name no schema, so that db/exec accepts them (docs/wire/platform.md#db-exec).
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { literal, type Sql, sql } from '../sql.ts'

/** The schema that the queries read. */
export interface Scope {
  readonly schemaName: SchemaName
  /** SQL expression for the schema's oid. */
  readonly namespace: Sql
  /** SQL expression for the oid of the platform's role. Objects of this role (`auth_*`) are not part of a tenant's structure. */
  readonly platform: Sql
  /** SQL expression for the owner role's oid. */
  readonly owner: Sql
}

/** Queries for records with a `key`, by the section that holds the records. */
export type Queries = Readonly<Record<string, (scope: Scope) => Sql>>

export function scopeOf(schemaName: SchemaName): Scope {
  return {
    schemaName,
    namespace: sql`${literal(schemaName)}::regnamespace`,
    platform: sql`(select nspowner from pg_namespace where nspname = ${literal(schemaName)})`,
    owner: sql`${literal(ownerRoleOf(schemaName))}::regrole`,
  }
}

/**
 * The scope for the role that runs the queries, whatever the names of the roles are. When this role owns the schema itself, no
 * objects count as the platform's.
 */
export function scopeOfCaller(schemaName: SchemaName): Scope {
  const caller = sql`(select oid from pg_roles where rolname = current_user)`
  return {
    schemaName,
    namespace: sql`${literal(schemaName)}::regnamespace`,
    platform: sql`coalesce((select nullif(nspowner, ${caller}) from pg_namespace where nspname = ${literal(schemaName)}), 0)`,
    owner: caller,
  }
}

/** Turns a query for records into a SELECT of one JSON list, sorted by key, without nulls. */
export function sectionQuery(query: Sql): Sql {
  return sql`select coalesce(json_strip_nulls(json_agg(record order by record.key collate "C")), '[]') from (${query}) as record`
}
