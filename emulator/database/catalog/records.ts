// How the catalogue is read: each query answers one JSON list under its section's name, so that all of them travel in
// one round trip. They run under `search_path = pg_catalog`, where nothing a tenant defines can stand in for a
// catalogue function and every deparsed name comes out qualified.
import type { SchemaName } from '../../core/names.ts'
import { identifier, literal, type Sql, sql } from '../sql.ts'

/** The schema's oid, as an expression. */
export function namespaceOf(schemaName: SchemaName): Sql {
  return sql`${literal(schemaName)}::regnamespace`
}

/** The role the schema belongs to: the platform. What it owns (`auth_*`) is no part of a tenant's structure. */
export function platformOf(schemaName: SchemaName): Sql {
  return sql`(select nspowner from pg_namespace where nspname = ${literal(schemaName)})`
}

/** Wraps a query whose rows are records with a `key` into one row with a JSON list, sorted by key, nulls left out. */
export function section(name: string, records: Sql): Sql {
  return sql`select coalesce(json_strip_nulls(json_agg(record order by record.key collate "C")), '[]') as ${identifier(name)}
from (${records}) as record`
}
