// Delivers committed row changes to a project's subscribers, in commit order and before the job's caller gets its result. The
// feed wraps the engine, so that it sees every job. The feed captures a table only while the table has subscribers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import { retryableOnce } from '../../core/retryable-once.ts'
import {
  cellText,
  delegate,
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
  /** The wrapped engine. Only changes made through this engine are delivered. */
  readonly engine: Engine
  readonly source: ChangeSource
  /**
   * Ends every subscription with `reason`. The snapshots call this method after they restored another state of the database.
   */
  forget(reason: string): void
  /** Names of the project's tables that are captured now. */
  capturedTables(schemaName: SchemaName): readonly string[]
}

export interface ChangeFeedOptions {
  /** The platform's clock, for `committedAt` of changes. */
  readonly clock: Clock
  /** The wall clock, for the time that tables stay captured after their last subscriber has gone. */
  readonly wallClock: Clock
}

export function createChangeFeed(
  engine: Engine,
  { clock, wallClock }: ChangeFeedOptions,
): ChangeFeed {
  const watches = new Map<SchemaName, ProjectWatch>()
  const preparation = retryableOnce(() => prepareCapture(engine))
  let number = 0

  const watchOf = (schemaName: SchemaName): ProjectWatch => {
    const known = watches.get(schemaName)
    if (known !== undefined) return known
    const onEmpty = () => watches.delete(schemaName)
    const watch = new ProjectWatch({
      schemaName,
      engine,
      prepare: preparation.get,
      wallClock,
      onEmpty,
    })
    watches.set(schemaName, watch)
    return watch
  }

  const deliver = async (schemaName: SchemaName, work: CommittedWork): Promise<void> => {
    const { changes, isSchemaChanged, requestId } = work
    const hasChanges = changes !== undefined && changes.rows.length > 0
    const watch = watches.get(schemaName)
    // Triggers that an earlier process left behind captured these changes. A new watch without subscribers removes those
    // triggers.
    if (watch === undefined && hasChanges) watchOf(schemaName).releaseSoon()
    if (watch === undefined || !(hasChanges || isSchemaChanged)) return
    const stamp = { committedAt: clock.now(), committedWallAt: wallClock.now(), requestId }
    const delivered = watch.inOrder(isSchemaChanged, (layouts) => {
      if (!watch.hasSubscribers) return
      const decoded = decodeChanges(changes, layouts, { ...stamp, number })
      number += decoded.length
      watch.deliver(decoded)
    })
    if (delivered !== undefined) await delivered
  }

  return {
    engine: deliveringEngine(engine, {
      isWatched: (schemaName) => watches.has(schemaName),
      deliver,
      interrupt: (schemaName, reason) => watches.get(schemaName)?.interrupt(reason),
    }),
    forget: (reason) => {
      preparation.forget()
      for (const watch of watches.values()) watch.forget(reason)
    },
    capturedTables: (schemaName) => watches.get(schemaName)?.captured ?? [],
    source: {
      subscribe: (schemaName, tables, listener) => watchOf(schemaName).subscribe(tables, listener),
    },
  }
}

interface CommittedWork {
  readonly changes: StatementResult | undefined
  readonly isSchemaChanged: boolean
  readonly requestId?: string | undefined
}

interface Delivery {
  isWatched(schemaName: SchemaName): boolean
  deliver(schemaName: SchemaName, work: CommittedWork): Promise<void>
  /** Ends the project's subscriptions, because changes may have been missed. */
  interrupt(schemaName: SchemaName, reason: string): void
}

const ENGINE_GONE = '57P02'

function deliveringEngine(engine: Engine, { isWatched, deliver, interrupt }: Delivery): Engine {
  const onFailure = async (
    { actor: { schemaName }, mode, requestId }: TenantWork,
    error: unknown,
  ): Promise<void> => {
    if (!(error instanceof SqlError)) return
    const { changes } = error.facts
    if (changes !== undefined)
      await deliver(schemaName, { changes, isSchemaChanged: true, requestId })
    // The engine may have committed the work before it died. The changes that this work captured are lost.
    if (error.code === ENGINE_GONE && mode === 'readWrite') interrupt(schemaName, error.message)
  }
  return {
    ...delegate(engine),
    run: async (work) => {
      const { schemaName } = work.actor
      try {
        const result = await engine.run(work)
        const { changes } = result
        const isSchemaChanged = isWatched(schemaName) && changedSchema(result)
        if (isSchemaChanged || changes !== undefined)
          await deliver(schemaName, { changes, isSchemaChanged, requestId: work.requestId })
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
          if (work.lost === undefined) await deliver(login.schemaName, work)
          else interrupt(login.schemaName, work.lost.message)
          await login.afterWork?.(work)
        },
      }),
  }
}

// Installs the capture SQL when the cluster lacks the current version.
async function prepareCapture(engine: Engine): Promise<void> {
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
