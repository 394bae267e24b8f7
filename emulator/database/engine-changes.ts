// The interface for commits: which rows and schemas were changed. Commits of other programs count, too, where the engine admits
// other programs.
import type { SchemaName } from '../core/names.ts'
import type { Sql } from './sql.ts'

export interface EngineChanges {
  /** Calls the listener for every commit from now on. Listeners are called one after the other. */
  watch(listener: CommitListener): void
  /**
   * Captures the rows of exactly these relations of the project from now on, until `release` is called.
   * @param relations a query whose column `oid` has the relations' oids
   * @param describe a query for one text, read in the same transaction
   * @returns the text
   * @throws {SqlError}
   */
  capture(schemaName: SchemaName, relations: Sql, describe: Sql): Promise<string | undefined>
  /** Stops capturing rows of the project. @throws {SqlError} */
  release(schemaName: SchemaName): Promise<void>
}

export interface CommitListener {
  /**
   * Called for each commit of the project, in commit order, before the promise of the work that made the commit resolves. The
   * engine reports the project's next commit after the returned promise has settled.
   */
  onCommit(commit: Commit): Promise<void> | undefined
  /**
   * Resolves when the listener has finished reading the rows of the commits that it received so far. On a server, the work that
   * committed waits for this promise. The caller's next request therefore cannot change rows that the listener still has to read.
   */
  judged?(schemaName: SchemaName): Promise<void> | undefined
  /** Called when commits of the project may have been missed. */
  onMissed(schemaName: SchemaName, reason: string): void
}

/** Columns `id, relation, kind, depth, row` of the outbox (tenant-schema/change-capture/outbox.sql) in Postgres's text format. */
export type CapturedRows = readonly (readonly (Uint8Array | null)[])[]

/** A transaction that changed captured rows or the schema. */
export interface Commit {
  readonly schemaName: SchemaName
  /** Captured rows, in no particular order. `undefined` when the transaction changed no captured rows. */
  readonly rows: CapturedRows | undefined
  readonly isSchemaChanged: boolean
  /** See `TenantWork.requestId`. */
  readonly requestId: string | undefined
}
