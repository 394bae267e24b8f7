// Shared parts of the catalogue's queries. Each query returns one JSON list under its section's name, so that all of them run
// in one round trip. The queries run with `search_path = pg_catalog`, so that a tenant's objects cannot shadow catalogue
// functions.
import type { SchemaName } from '../../core/names.ts'
import { identifier, literal, type Sql, sql } from '../sql.ts'

/** SQL expression for the schema's oid. */
export function namespaceOf(schemaName: SchemaName): Sql {
  return sql`${literal(schemaName)}::regnamespace`
}

/**
 * SQL expression for the platform's role, which owns the schema. The platform's objects (`auth_*`) are not part of a tenant's
 * structure.
 */
export function platformOf(schemaName: SchemaName): Sql {
  return sql`(select nspowner from pg_namespace where nspname = ${literal(schemaName)})`
}

/** Turns a query for records with a `key` into one row with a JSON list, sorted by key, without nulls. */
export function section(name: string, records: Sql): Sql {
  return sql`select coalesce(json_strip_nulls(json_agg(record order by record.key collate "C")), '[]') as ${identifier(name)}
from (${records}) as record`
}
