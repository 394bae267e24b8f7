// Delivers committed row changes to a project's subscribers, in commit order and before the job's caller gets its result. The
// feed captures a table only while the table has subscribers.
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Engine } from '../engine.ts'
import type { Commit } from '../engine-changes.ts'
import { decodeChanges } from './decode-changes.ts'
import { ProjectWatch } from './project-watch.ts'
import type { ChangeSource } from './row-change.ts'

export interface ChangeFeed {
  readonly source: ChangeSource
  /**
   * Ends every subscription with `reason`. The snapshots call this method after they restored another state of the database.
   */
  forget(reason: string): void
  /** Names of the project's tables that are captured for present subscribers. */
  capturedTables(schemaName: SchemaName): readonly string[]
}

export interface ChangeFeedOptions {
  /** The platform's clock, for `committedAt` of changes. */
  readonly clock: Clock
  /** The wall clock, for the time that tables stay captured after their last subscriber has gone. */
  readonly wallClock: Clock
}

const UNKNOWN_LAYOUT = 'A table was altered several times while its rows changed.'

export function createChangeFeed(
  engine: Pick<Engine, 'changes'>,
  { clock, wallClock }: ChangeFeedOptions,
): ChangeFeed {
  const watches = new Map<SchemaName, ProjectWatch>()
  let number = 0

  const watchOf = (schemaName: SchemaName): ProjectWatch => {
    const known = watches.get(schemaName)
    if (known !== undefined) return known
    const onEmpty = () => watches.delete(schemaName)
    const watch = new ProjectWatch({ schemaName, changes: engine.changes, wallClock, onEmpty })
    watches.set(schemaName, watch)
    return watch
  }

  const deliver = (commit: Commit): Promise<void> | undefined => {
    const { schemaName, rows, isSchemaChanged, requestId } = commit
    const watch = watches.get(schemaName)
    // Triggers that an earlier process left behind captured these rows. A new watch without subscribers removes those triggers.
    if (watch === undefined && rows !== undefined) watchOf(schemaName).releaseSoon()
    if (watch === undefined) return undefined
    const stamp = { committedAt: clock.now(), committedWallAt: wallClock.now(), requestId }
    return watch.inOrder(isSchemaChanged, (layouts) => {
      if (!watch.hasSubscribers) return
      const { changes, isComplete } = decodeChanges(rows, layouts, { ...stamp, number })
      number += changes.length
      watch.deliver(changes)
      if (!isComplete) watch.interrupt(UNKNOWN_LAYOUT)
    })
  }

  engine.changes.watch({
    onCommit: deliver,
    judged: (schemaName) => watches.get(schemaName)?.judged(),
    onMissed: (schemaName, reason) => watches.get(schemaName)?.interrupt(reason),
  })
  return {
    forget: (reason) => {
      for (const watch of watches.values()) watch.forget(reason)
    },
    capturedTables: (schemaName) => watches.get(schemaName)?.captured ?? [],
    source: {
      subscribe: (schemaName, tables, listener) => watchOf(schemaName).subscribe(tables, listener),
    },
  }
}
