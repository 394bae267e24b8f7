// Begins the history of a project before its first write (tenant-schema/cluster/shared/34-history.sql). Wraps the engine, so that no
// write comes first.
import type { SchemaName } from '../../core/names.ts'
import { delegate, type Engine, SqlError, type TenantWork } from '../engine.ts'
import { literal, script, sql } from '../sql.ts'
import { isPrepared } from '../template/stock/prepared-schemas.ts'

export interface RecordedEngine {
  /** The wrapped engine. */
  readonly engine: Engine
  /** Begins the history of a project that has none. Safe to repeat. */
  begin(schemaName: SchemaName): Promise<void>
  /** Call this method after another state of the database was restored. */
  renew(): void
}

/** How much is kept. The oldest half is dropped when a bound is reached. */
export interface HistoryBounds {
  readonly mostBytes: number
  readonly mostDays: number
}

/** The number of writes of a project after which its bounds are checked again. */
const CHECK_EVERY_WRITES = 500

/**
 * @param onFailure is called when a history cannot begin. The write that follows is not refused
 */
export function recordHistory(
  engine: Engine,
  { mostBytes, mostDays }: HistoryBounds,
  onFailure: (schemaName: SchemaName, error: unknown) => void,
): RecordedEngine {
  const begun = new Map<string, Promise<void> | true>()
  const writes = new Map<string, number>()
  const rotation = sql`select platform.rotate_history(${literal(String(mostBytes))}, make_interval(days => ${literal(String(mostDays))}::integer))`
  const countWrite = (schemaName: SchemaName): void => {
    const count = (writes.get(schemaName) ?? 0) + 1
    writes.set(schemaName, count % CHECK_EVERY_WRITES)
    if (count < CHECK_EVERY_WRITES) return
    engine
      .admin(schemaName, script([rotation]))
      .catch((error: unknown) => onFailure(schemaName, error))
  }
  const begin = (schemaName: SchemaName): Promise<void> | undefined => {
    const known = begun.get(schemaName)
    if (known !== undefined) return known === true ? undefined : known
    if (isPrepared(schemaName)) return undefined
    const beginning = engine
      .admin(
        schemaName,
        script([sql`select platform.record_history(${literal(schemaName)})`, rotation]),
      )
      .then(
        () => {
          begun.set(schemaName, true)
        },
        (error: unknown) => {
          begun.delete(schemaName)
          if (!isMissing(error)) onFailure(schemaName, error)
        },
      )
    begun.set(schemaName, beginning)
    return beginning
  }
  const run = (work: TenantWork): ReturnType<Engine['run']> => {
    countWrite(work.actor.schemaName)
    const running = engine.run({
      ...work,
      settings: { ...work.settings, 'tenantry.request_id': work.requestId ?? '' },
    })
    if (work.firesNoEventTriggers !== true) return running
    // No event trigger has recorded the tables that this work created.
    return running.finally(() => begun.delete(work.actor.schemaName))
  }
  return {
    engine: {
      ...delegate(engine),
      run: (work) => {
        if (work.mode === 'readOnly') return engine.run(work)
        const beginning = begin(work.actor.schemaName)
        return beginning === undefined ? run(work) : beginning.then(() => run(work))
      },
      connect: async (login) => {
        await begin(login.schemaName)
        return await engine.connect(login)
      },
      projects: {
        create: (schemaName, also, runPart) => engine.projects.create(schemaName, also, runPart),
        list: (prefix) => engine.projects.list(prefix),
        together: (schemaNames) => engine.projects.together(schemaNames),
        rename: async (source, target, also) => {
          begun.delete(source)
          begun.delete(target)
          await engine.projects.rename(source, target, also)
        },
        drop: async (schemaName, runPart) => {
          begun.delete(schemaName)
          await engine.projects.drop(schemaName, runPart)
        },
      },
    },
    begin: async (schemaName) => {
      await begin(schemaName)
    },
    renew: () => begun.clear(),
  }
}

// The project was dropped, or is not created yet. The work itself answers with the same error.
function isMissing(error: unknown): boolean {
  return error instanceof SqlError && (error.code === '3D000' || error.code === '3F000')
}
