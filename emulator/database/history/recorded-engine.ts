// Begins or ends the history of a project before its first write (tenant-schema/cluster/shared/34-history.sql), and keeps it within its
// bounds. Wraps the engine, so that no write comes first.
import type { Clock } from '../../core/clock.ts'
import { currentRequestId } from '../../core/current-request.ts'
import type { SchemaName } from '../../core/names.ts'
import { toIso } from '../../core/time.ts'
import { delegate, type Engine, SqlError, type TenantWork, type WorkResult } from '../engine.ts'
import type { EngineProjects } from '../engine-projects.ts'
import { literal, type Sql, script, sql } from '../sql.ts'
import { isPrepared } from '../template/stock/prepared-schemas.ts'

/** How much is kept. The oldest half is dropped when a bound is reached. */
export interface HistoryBounds {
  readonly mostBytes: number
  readonly mostDays: number
}

export interface HistoryDeps {
  readonly engine: Engine
  /** The platform's clock. */
  readonly clock: Pick<Clock, 'now'>
  /** Absent: an earlier start may have recorded changes, and this one does not. */
  readonly bounds: HistoryBounds | undefined
  /** Called when a history cannot begin or be bounded. The write itself is not refused. */
  readonly onFailure: (schemaName: SchemaName, error: unknown) => void
}

/** The number of writes of a project after which its bounds are checked again. */
const CHECK_EVERY_WRITES = 500

export class HistoryRecorder {
  /** The wrapped engine. */
  readonly engine: Engine
  readonly #deps: HistoryDeps
  /** Projects whose history has begun, or is beginning. */
  readonly #begun = new Map<SchemaName, Promise<void> | true>()
  readonly #writes = new Map<SchemaName, number>()

  constructor(deps: HistoryDeps) {
    const { engine } = deps
    this.#deps = deps
    // An account that is no superuser has no event triggers, which record new tables at once.
    engine.changes.watch({
      onCommit: ({ isSchemaChanged, schemaName }) => {
        if (isSchemaChanged) this.#begun.delete(schemaName)
        return undefined
      },
      onMissed: (schemaName) => {
        this.#begun.delete(schemaName)
      },
    })
    this.engine = {
      ...delegate(engine),
      projects: this.#projects(engine.projects),
      run: (work) => {
        if (work.mode === 'readOnly') return engine.run(work)
        const beginning = this.#begin(work.actor.schemaName)
        return beginning === undefined ? this.#write(work) : beginning.then(() => this.#write(work))
      },
      connect: async (login) => {
        await this.#begin(login.schemaName)
        return await engine.connect(login)
      },
    }
  }

  /** Call this method after another state of the database was restored. */
  renew(): void {
    this.#begun.clear()
  }

  #begin(schemaName: SchemaName): Promise<void> | undefined {
    const known = this.#begun.get(schemaName)
    if (known !== undefined) return known === true ? undefined : known
    if (isPrepared(schemaName)) return undefined
    const { bounds, engine, onFailure } = this.#deps
    const name = literal(schemaName)
    const statements =
      bounds === undefined
        ? [sql`select platform.end_history(${name})`]
        : [sql`select platform.record_history(${name})`, rotation(bounds)]
    const beginning = engine.admin(schemaName, script(statements)).then(
      () => {
        this.#begun.set(schemaName, true)
      },
      (error: unknown) => {
        this.#begun.delete(schemaName)
        if (!isMissing(error)) onFailure(schemaName, error)
      },
    )
    this.#begun.set(schemaName, beginning)
    return beginning
  }

  #write(work: TenantWork): Promise<WorkResult> {
    const { bounds, clock, engine } = this.#deps
    const { schemaName } = work.actor
    if (bounds === undefined) return engine.run(work)
    this.#countWrite(schemaName, bounds)
    const running = engine.run({
      ...work,
      settings: {
        ...work.settings,
        'tenantry.request_id': work.requestId ?? currentRequestId() ?? '',
        // The embedded engine moves the time of SQL itself.
        ...(engine.facts.movesSqlTime ? {} : { 'tenantry.now': toIso(clock.now()) }),
      },
    })
    if (work.firesNoEventTriggers !== true) return running
    // No event trigger has recorded the tables that this work created.
    return running.finally(() => this.#begun.delete(schemaName))
  }

  #countWrite(schemaName: SchemaName, bounds: HistoryBounds): void {
    const count = (this.#writes.get(schemaName) ?? 0) + 1
    this.#writes.set(schemaName, count % CHECK_EVERY_WRITES)
    if (count < CHECK_EVERY_WRITES) return
    const { engine, onFailure } = this.#deps
    engine
      .admin(schemaName, script([rotation(bounds)]))
      .catch((error: unknown) => onFailure(schemaName, error))
  }

  // On a server, the history is in the project's own database, which is dropped.
  async #forget(schemaName: SchemaName): Promise<void> {
    const { engine } = this.#deps
    if (engine.facts.kind === 'postgres' || isPrepared(schemaName)) return
    await engine.admin(
      schemaName,
      script([sql`select platform.forget_history(${literal(schemaName)})`]),
    )
  }

  #projects(projects: EngineProjects): EngineProjects {
    return {
      create: (schemaName, also, runPart) => projects.create(schemaName, also, runPart),
      list: (prefix) => projects.list(prefix),
      together: (schemaNames) => projects.together(schemaNames),
      rename: async (source, target, also) => {
        this.#begun.delete(source)
        this.#begun.delete(target)
        await projects.rename(source, target, also)
      },
      drop: async (schemaName, runPart) => {
        this.#begun.delete(schemaName)
        await this.#forget(schemaName)
        await projects.drop(schemaName, runPart)
      },
    }
  }
}

function rotation({ mostBytes, mostDays }: HistoryBounds): Sql {
  const age = sql`pg_catalog.make_interval(days => ${literal(String(mostDays))}::integer)`
  return sql`select platform.rotate_history(${literal(String(mostBytes))}::bigint, ${age})`
}

// The project was dropped, or is not created yet. The work itself answers with the same error.
function isMissing(error: unknown): boolean {
  return error instanceof SqlError && (error.code === '3D000' || error.code === '3F000')
}
