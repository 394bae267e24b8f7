// Shared parts of the catalogue's queries. Each query returns one JSON list under its section's name, so that all of them run
// in one round trip. The queries run with `search_path = pg_catalog`, so that a tenant's objects cannot shadow catalogue
// functions.
import type { SchemaName } from '../../core/names.ts'
import { identifier, literal, type Sql, sql } from '../sql.ts'

/** The schema that the queries read. */
export interface Scope {
  readonly schemaName: SchemaName
  /** SQL expression for the schema's oid. */
  readonly namespace: Sql
  /** SQL expression for the platform's role. Its objects (`auth_*`) are not part of a tenant's structure. */
  readonly platform: Sql
}

/** Queries for records with a `key`, by the section that holds the records. */
export type Queries = Readonly<Record<string, (scope: Scope) => Sql>>

export function scopeOf(schemaName: SchemaName): Scope {
  return {
    schemaName,
    namespace: sql`${literal(schemaName)}::regnamespace`,
    platform: sql`(select nspowner from pg_namespace where nspname = ${literal(schemaName)})`,
  }
}

/** Turns each query into one row with a JSON list, sorted by key, without nulls. */
export function sectionQueries(queries: Queries, scope: Scope): readonly Sql[] {
  return Object.entries(queries).map(
    ([section, query]) =>
      sql`select coalesce(json_strip_nulls(json_agg(record order by record.key collate "C")), '[]') as ${identifier(section)}
from (${query(scope)}) as record`,
  )
}
