// What the platform asks of Postgres when a project is born, frozen, cloned or erased: a port, so that the decisions
// around it can be tried without an engine.
import type { SchemaName } from '../core/names.ts'

/** What a template holds; the platform's own `auth_*` tables are not counted (docs/wire/platform.md#publish). */
export interface StructureCounts {
  readonly tables: number
  readonly foreignKeys: number
}

/** What fails half-way is erased by the caller with `drop`. */
export interface SchemaBuilder {
  /** Makes the schema, its roles and its `auth_*` tables. */
  createEmpty(target: SchemaName): Promise<void>
  /** Makes `target` as `createEmpty` does and gives it the structure of `source`, without rows. */
  cloneFrom(source: SchemaName, target: SchemaName): Promise<StructureCounts>
  /** Erases the schema and its roles; harmless when they do not exist. */
  drop(target: SchemaName): Promise<void>
  counts(schemaName: SchemaName): Promise<StructureCounts>
}
