// The interface for whole projects in an engine: their schemas, roles and, on a server, their databases.
import type { SchemaName } from '../core/names.ts'
import type { Sql } from './sql.ts'

/** Runs one short part of longer work. The caller decides when the part begins. */
export type RunPart = <Result>(part: () => Promise<Result>) => Promise<Result>

export interface EngineProjects {
  /**
   * Creates an empty project: schema, owner role, realtime role, default privileges and `auth_*` tables. Safe to repeat.
   * @param also the platform's statements that run after the creation, in the same transaction
   * @param runPart runs the creation in several transactions, without `also`. Absent: one transaction
   * @throws {SqlError}
   */
  create(schemaName: SchemaName, also?: readonly Sql[], runPart?: RunPart): Promise<void>
  /**
   * Renames a project's schema and roles. Texts inside functions keep the old name.
   * @param also the platform's statements that run after the renaming, in the same transaction
   * @throws {SqlError}
   */
  rename(source: SchemaName, target: SchemaName, also?: readonly Sql[]): Promise<void>
  /** Drops everything that a project has. Safe to repeat. @throws {SqlError} */
  drop(schemaName: SchemaName, runPart?: RunPart): Promise<void>
  /** Lists the projects whose schema names begin with `prefix`, also incomplete ones. @throws {SqlError} */
  list(prefix: string): Promise<readonly SchemaName[]>
  /** Groups the projects so that the objects of one group are in one database, where one script can read them. */
  together(schemaNames: readonly SchemaName[]): readonly (readonly SchemaName[])[]
}
