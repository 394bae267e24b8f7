// Implements `EngineChanges` for the embedded engine. The worker reports captured rows with the job that committed them, so the
// order of jobs is the order of commits.
import type { SchemaName } from '../../core/names.ts'
import { retryableOnce } from '../../core/retryable-once.ts'
import { CommitListeners } from '../changes/commit-listeners.ts'
import { cellText, type Engine, SqlError, type StatementResult } from '../engine.ts'
import type { CommitListener, EngineChanges } from '../engine-changes.ts'
import { type Sql, script } from '../sql.ts'
import { captureRelations, NO_RELATION, prepareCapture } from '../tenant-schema/change-capture.ts'

type Admin = Pick<Engine, 'admin'>

/** The effects of a job's commit. */
export interface JobEffects {
  readonly schemaName: SchemaName
  readonly changes: StatementResult | undefined
  readonly isSchemaChanged: boolean
  readonly requestId?: string | undefined
}

const ENGINE_GONE = '57P02'

export class EmbeddedChanges implements EngineChanges {
  readonly #engine: Admin
  readonly #listeners = new CommitListeners()
  readonly #preparation = retryableOnce(() => prepareCapture(this.#engine, 'cluster', 'embedded'))

  constructor(engine: Admin) {
    this.#engine = engine
  }

  watch(listener: CommitListener): void {
    this.#listeners.add(listener)
  }

  async capture(
    schemaName: SchemaName,
    relations: Sql,
    describe: Sql,
  ): Promise<string | undefined> {
    await this.#preparation.get()
    const results = await this.#engine.admin(
      schemaName,
      script([captureRelations(schemaName, relations), describe]),
    )
    return cellText(results.at(-1)?.rows[0]?.[0])
  }

  async release(schemaName: SchemaName): Promise<void> {
    await this.#preparation.get()
    await this.#engine.admin(schemaName, script([captureRelations(schemaName, NO_RELATION)]))
  }

  /** Called after another state of the database was loaded, which may lack the capture SQL. */
  stateReplaced(): void {
    this.#preparation.forget()
  }

  /** Returns a promise when listeners must be called before the job's caller gets its result. */
  committed({
    schemaName,
    changes,
    isSchemaChanged,
    requestId,
  }: JobEffects): Promise<void> | undefined {
    const rows = changes !== undefined && changes.rows.length > 0 ? changes.rows : undefined
    if (rows === undefined && !isSchemaChanged) return undefined
    return this.#listeners.committed({ schemaName, rows, isSchemaChanged, requestId })
  }

  /** Reports missed changes when the engine died. The engine may have committed the job, but the captured changes are lost. */
  failed(schemaName: SchemaName, error: unknown): void {
    if (error instanceof SqlError && error.code === ENGINE_GONE)
      this.#listeners.missed(schemaName, error.message)
  }
}
