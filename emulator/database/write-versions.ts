// Numbers the writes of each schema, so that facts read from a schema can be kept until its next write. Wraps the engine, so
// that it sees every job. The snapshots call it.
import type { SchemaName } from '../core/names.ts'
import type { PostgresSession } from '../core/postgres-session.ts'
import { delegate, type Engine } from './engine.ts'
import type { EngineProjects, RunPart } from './engine-projects.ts'
import { isReadScript } from './sql.ts'
import { isPrepared } from './template/stock/prepared-schemas.ts'

export interface WriteVersions {
  /** The wrapped engine. Only writes through this engine are counted. */
  readonly engine: Engine
  /**
   * Returns a text that is different after every write to the schema. Returns `undefined` while a write is running or queued,
   * or a client of the Postgres port has an open transaction. Always returns `undefined` when programs can write without
   * this engine.
   */
  of(schemaName: SchemaName): string | undefined
  /** Changes all versions, because another state of the database was restored. */
  renew(): void
  /**
   * Calls the listener after each write, with `undefined` for a write that can change any schema. Leaves out prepared clones,
   * because no project owns them.
   */
  onWrite(listener: (schemaName: string | undefined) => void): void
}

/** Counts the writes to one schema, or the writes that can change any schema. */
interface Counter {
  ended: number
  open: number
}

const MAX_COUNTERS = 10_000

export function countWrites(engine: Engine): WriteVersions {
  const counters = new Map<string, Counter>()
  const listeners: ((schemaName: string | undefined) => void)[] = []
  const ended = (schemaName?: string) => (): void => {
    if (schemaName !== undefined && isPrepared(schemaName)) return
    for (const listener of listeners) listener(schemaName)
  }
  const platform: Counter = { ended: 0, open: 0 }
  const forgetIdle = (): void => {
    platform.ended += 1
    for (const [schemaName, { open }] of counters) if (open === 0) counters.delete(schemaName)
  }
  const counterOf = (schemaName: string): Counter => {
    const known = counters.get(schemaName)
    if (known !== undefined) return known
    if (counters.size >= MAX_COUNTERS) forgetIdle()
    const fresh = { ended: 0, open: 0 }
    counters.set(schemaName, fresh)
    return fresh
  }
  return {
    of: (schemaName) => {
      if (engine.clients !== undefined) return undefined
      const own = counters.get(schemaName)
      if (platform.open > 0 || (own?.open ?? 0) > 0) return undefined
      return `${platform.ended}.${own?.ended ?? 0}`
    },
    renew: () => {
      platform.ended += 1
    },
    onWrite: (listener) => {
      listeners.push(listener)
    },
    engine: {
      ...delegate(engine),
      run: (work) => {
        if (work.mode === 'readOnly') return engine.run(work)
        const { schemaName } = work.actor
        return engine.run(work).finally(begin(counterOf(schemaName), ended(schemaName)))
      },
      admin: (where, work) => {
        if (isReadScript(work)) return engine.admin(where, work)
        const end =
          where === 'cluster' ? begin(platform, ended()) : begin(counterOf(where), ended(where))
        return engine.admin(where, work).finally(end)
      },
      projects: countedProjects(engine.projects, (schemaName) =>
        schemaName === undefined
          ? begin(platform, ended())
          : begin(counterOf(schemaName), ended(schemaName)),
      ),
      connect: async (login) =>
        countedSession(await engine.connect(login), () =>
          begin(counterOf(login.schemaName), ended(login.schemaName)),
        ),
    },
  }
}

/** Returns the function that ends a write to the schema, or to any schema. */
type StartWrite = (schemaName?: SchemaName) => () => void

// Counts the parts of longer work one by one, because between two parts the work waits while the engine has other jobs.
function countedProjects(projects: EngineProjects, start: StartWrite): EngineProjects {
  const inParts = (schemaName: SchemaName, runPart: RunPart | undefined): RunPart | undefined =>
    runPart && ((part) => runPart(() => counted(() => start(schemaName), part)))
  const whole = (
    schemaName: SchemaName,
    runPart: RunPart | undefined,
    write: () => Promise<void>,
  ) => (runPart === undefined ? counted(() => start(schemaName), write) : write())
  return {
    ...projects,
    create: (schemaName, also, runPart) =>
      whole(schemaName, runPart, () =>
        projects.create(schemaName, also, inParts(schemaName, runPart)),
      ),
    // Renaming concerns two schemas, so it counts as a write to all schemas.
    rename: (...args) => counted(start, () => projects.rename(...args)),
    drop: (schemaName, runPart) =>
      whole(schemaName, runPart, () => projects.drop(schemaName, inParts(schemaName, runPart))),
  }
}

async function counted<Result>(
  start: () => () => void,
  write: () => Promise<Result>,
): Promise<Result> {
  const end = start()
  return await write().finally(end)
}

// A transaction of the Postgres port can last several turns.
function countedSession(session: PostgresSession, start: () => () => void): PostgresSession {
  let end: (() => void) | undefined
  const settle = (): void => {
    end?.()
    end = undefined
  }
  return {
    parameters: session.parameters,
    run: async (messages, write) => {
      end ??= start()
      const turn = await session.run(messages, write)
      if (turn.state === 'idle') settle()
      return turn
    },
    feed: (messages) => session.feed(messages),
    cancel: () => session.cancel(),
    close: () => session.close().finally(settle),
  }
}

/** Returns the function that ends the write. */
function begin(counter: Counter, onEnd: () => void): () => void {
  counter.open += 1
  return () => {
    counter.open -= 1
    counter.ended += 1
    onEnd()
  }
}
