// The interface for creating, cloning and dropping projects' schemas, so that the control plane can be tested without an
// engine.
import type { SchemaName } from '../core/names.ts'

/** Numbers of objects in a template's schema, without the platform's `auth_*` tables (docs/wire/platform.md#publish). */
export interface StructureCounts {
  readonly tables: number
  readonly foreignKeys: number
}

/** A failed call can leave a partial schema. The caller then calls `drop`. */
export interface SchemaBuilder {
  /** Creates the schema, its roles and its `auth_*` tables. */
  createEmpty(target: SchemaName): Promise<void>
  /**
   * Creates `target` with the objects that its owner's scripts make in an empty project. Returns false, and creates nothing, when
   * the database has no prepared schema for these scripts.
   */
  createPrepared(scripts: readonly string[], target: SchemaName): Promise<boolean>
  /** Drops the prepared schemas that `createPrepared` and `cloneFrom` have not used. */
  dropPrepared(): Promise<void>
  /** Creates `target` with the structure of `source`, without rows. */
  cloneFrom(source: SchemaName, target: SchemaName): Promise<StructureCounts>
  /** Like `cloneFrom`, for a tenant: may rename a clone that was prepared while the engine was idle. */
  provisionFrom(source: SchemaName, target: SchemaName): Promise<StructureCounts>
  /** Drops the schema and its roles, if they exist. */
  drop(target: SchemaName): Promise<void>
  /** Drops everything that the owner created in the schema. Keeps the `auth_*` tables, roles and privileges. */
  clear(target: SchemaName): Promise<void>
  counts(schemaName: SchemaName): Promise<StructureCounts>
}
