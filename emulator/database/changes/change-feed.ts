// The feed of row changes: an engine that tells what each piece of work committed, in commit order, to whoever listens to
// the project, before the work's own caller hears of its end. Tables are captured only while somebody listens.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type StatementResult,
  type TenantWork,
} from '../engine.ts'
import { literal, script, sql, verbatim } from '../sql.ts'
import { changedSchema } from '../tenant-schema/ddl-notice.ts'
import { decodeChanges } from './decode-changes.ts'
import { ProjectWatch } from './project-watch.ts'
import type { ChangeSource } from './row-change.ts'

export interface ChangeFeed {
  /** The engine to use from now on. */
  readonly engine: Engine
  readonly source: ChangeSource
  /** The database is in another state: every subscription ends with the reason. */
  forget(reason: string): void
  /** Names of the project's tables that are captured now. */
  capturedTables(schemaName: SchemaName): readonly string[]
}

export interface ChangeFeedOptions {
  /** Stamps changes. */
  readonly clock: Clock
  /** Rules how long tables stay captured after the last listener has gone. */
  readonly wallClock: Clock
}

/** Wraps the engine. */
export function createChangeFeed(
  engine: Engine,
  { clock, wallClock }: ChangeFeedOptions,
): ChangeFeed {
  const watches = new Map<SchemaName, ProjectWatch>()
  const prepare = createPreparation(engine)
  let number = 0

  const watchOf = (schemaName: SchemaName): ProjectWatch => {
    const known = watches.get(schemaName)
    if (known !== undefined) return known
    const onEmpty = () => watches.delete(schemaName)
    const watch = new ProjectWatch({
      schemaName,
      engine,
      prepare: prepare.once,
      wallClock,
      onEmpty,
    })
    watches.set(schemaName, watch)
    return watch
  }

  const tell = async (
    schemaName: SchemaName,
    changes: StatementResult | undefined,
    isSchemaChanged: boolean,
    requestId?: string,
  ): Promise<void> => {
    const hasChanges = changes !== undefined && changes.rows.length > 0
    const watch = watches.get(schemaName)
    // Triggers that an earlier process left behind: a watch without listeners takes them away.
    if (watch === undefined && hasChanges) watchOf(schemaName).releaseSoon()
    if (watch === undefined || !(hasChanges || isSchemaChanged)) return
    const stamp = { committedAt: clock.now(), committedWallAt: wallClock.now(), requestId }
    const telling = watch.inOrder(isSchemaChanged, (layouts) => {
      if (!watch.isHeard) return
      const decoded = decodeChanges(changes, layouts, { ...stamp, number })
      number += decoded.length
      watch.tell(decoded)
    })
    if (telling !== undefined) await telling
  }

  return {
    engine: {
      ...passOn(engine),
      run: async (work) => {
        const { schemaName } = work.actor
        try {
          const result = await engine.run(work)
          const isSchemaChanged = watches.has(schemaName) && changedSchema(result)
          if (isSchemaChanged || result.changes !== undefined)
            await tell(schemaName, result.changes, isSchemaChanged, work.requestId)
          return result
        } catch (error) {
          await onFailure(work, error)
          throw error
        }
      },
      connect: (login) =>
        engine.connect({
          ...login,
          afterWork: async (work) => {
            const { changes, isSchemaChanged, lost } = work
            if (lost === undefined) await tell(login.schemaName, changes, isSchemaChanged)
            else watches.get(login.schemaName)?.interrupt(lost.message)
            await login.afterWork?.(work)
          },
        }),
    },
    forget: (reason) => {
      prepare.again()
      for (const watch of watches.values()) watch.forget(reason)
    },
    capturedTables: (schemaName) => watches.get(schemaName)?.captured ?? [],
    source: {
      subscribe: (schemaName, tables, listener) => watchOf(schemaName).subscribe(tables, listener),
    },
  }

  async function onFailure(work: TenantWork, error: unknown): Promise<void> {
    if (!(error instanceof SqlError)) return
    const { schemaName } = work.actor
    if (error.facts.changes !== undefined)
      await tell(schemaName, error.facts.changes, true, work.requestId)
    // It may have been committed, and what it changed went with the engine.
    if (error.code === ENGINE_GONE && work.mode === 'readWrite')
      watches.get(schemaName)?.interrupt(error.message)
  }
}

const ENGINE_GONE = '57P02'

function passOn(engine: Engine): Omit<Engine, 'run' | 'connect'> {
  return {
    ask: (questions) => engine.ask(questions),
    admin: (work) => engine.admin(work),
    setTime: (time) => engine.setTime(time),
    stats: () => engine.stats(),
    close: () => engine.close(),
  }
}

// Once per start, and only where somebody listens; a cluster that has the present version keeps it.
function createPreparation(engine: Engine) {
  let prepared: Promise<void> | undefined
  const again = (): void => {
    prepared = undefined
  }
  return {
    again,
    once: (): Promise<void> => {
      prepared ??= prepareCapture(engine).catch((error: unknown) => {
        again()
        throw error
      })
      return prepared
    },
  }
}

async function prepareCapture(engine: Engine): Promise<void> {
  const text = readFileSync(
    packageFile('emulator/database/tenant-schema/change-capture.sql'),
    'utf8',
  )
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const [found] = await engine.admin(
    script([sql`select obj_description(to_regclass('platform.row_changes'), 'pg_class')`]),
  )
  if (cellText(found?.rows[0]?.[0]) === version) return
  await engine.admin(
    script([
      sql`set local client_min_messages = warning`,
      verbatim(text),
      sql`comment on table platform.row_changes is ${literal(version)}`,
    ]),
  )
}
