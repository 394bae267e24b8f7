// Implements `EngineChanges` for the embedded engine. The worker reports captured rows with the job that committed them, so the
// order of jobs is the order of commits.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import { retryableOnce } from '../../core/retryable-once.ts'
import { CommitListeners } from '../changes/commit-listeners.ts'
import { cellText, type Engine, type Notice, SqlError, type StatementResult } from '../engine.ts'
import type { CommitListener, EngineChanges } from '../engine-changes.ts'
import { literal, type Sql, script, sql, verbatim } from '../sql.ts'
import { isSchemaChange } from '../tenant-schema/ddl-notice.ts'

type Admin = Pick<Engine, 'admin'>

/** What a job reports of its commit. */
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
  readonly #preparation = retryableOnce(() => prepareCapture(this.#engine))

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
    const capture = sql`select platform.capture_relations(${literal(schemaName)}, array(select oid from (${relations}) as wanted))`
    const results = await this.#engine.admin(schemaName, script([capture, describe]))
    return cellText(results.at(-1)?.rows[0]?.[0])
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

  /** The engine may have committed the job before it died. Changes that the job captured are lost. */
  failed(schemaName: SchemaName, error: unknown): void {
    if (error instanceof SqlError && error.code === ENGINE_GONE)
      this.#listeners.missed(schemaName, error.message)
  }
}

/** Removes the platform's notices. Returns the same array when there are none. */
export function tenantNotices(notices: readonly Notice[]): readonly Notice[] {
  return notices.some(isSchemaChange) ? notices.filter((each) => !isSchemaChange(each)) : notices
}

// Installs the capture SQL when the cluster lacks the current version.
async function prepareCapture(engine: Admin): Promise<void> {
  const text = readFileSync(
    packageFile('emulator/database/tenant-schema/change-capture.sql'),
    'utf8',
  )
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const [found] = await engine.admin(
    'cluster',
    script([sql`select obj_description(to_regclass('platform.row_changes'), 'pg_class')`]),
  )
  if (cellText(found?.rows[0]?.[0]) === version) return
  await engine.admin(
    'cluster',
    script([
      sql`set local client_min_messages = warning`,
      verbatim(text),
      sql`comment on table platform.row_changes is ${literal(version)}`,
    ]),
  )
}
