// Implements `EngineChanges` for a server: one reading connection for each project that has other connections or subscribers.
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import { CommitListeners } from '../../changes/commit-listeners.ts'
import { cellText, type Engine, type Notice, type PlatformScope, SqlError } from '../../engine.ts'
import type { CommitListener, EngineChanges } from '../../engine-changes.ts'
import { type Sql, script, sql } from '../../sql.ts'
import {
  captureRelations,
  NO_RELATION,
  prepareCapture,
} from '../../tenant-schema/change-capture.ts'
import { isPlatformNotice } from '../../tenant-schema/ddl-notice.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import type { Companion } from '../pool/companion.ts'
import { ActivityWatch } from './activity-watch.ts'
import type { NotificationQueue } from './notification-queue.ts'
import { OutboxReader } from './outbox-reader.ts'
import type { OrderedCommit } from './round-commits.ts'

export interface ServerChangesDeps extends Pick<Engine, 'admin'> {
  /** Logs in to the project's database as the platform. @throws {SqlError} */
  logIn(schemaName: SchemaName): Promise<ServerConnection>
  /** Name of the project's database. */
  databaseOf(schemaName: SchemaName): string
  readonly wallClock: Clock
  readonly queue: NotificationQueue
}

interface Project {
  /** Absent while no connection reads the project's commits. */
  reader: Promise<OutboxReader> | undefined
  /** True while tables are captured for subscribers. */
  isCapturing: boolean
  /** The number of readers whose connection was lost. */
  losses: number
  /** True when a reader was open before. */
  wasOpen: boolean
  /** Present while no connection may be open. Resolves when connections may open again. */
  eviction: { readonly ended: Promise<void>; readonly end: () => void } | undefined
}

// Creating a trigger needs a lock on its table. The lock waits for transactions that write to the table, such as an open one in
// psql.
const LOCK_WITHIN = sql`set local lock_timeout = '5s'`
// The platform's event triggers are for tenants' changes and must not fire here. Only a superuser can switch event triggers off;
// without a superuser, the platform has none.
const NO_EVENT_TRIGGERS = sql`select pg_catalog.set_config('event_triggers', 'off', true)
from pg_catalog.pg_roles where rolname = current_user and rolsuper`
const PAUSED = 'The project was moved or copied while its rows changed.'

export class ServerChanges implements EngineChanges, Companion {
  readonly #deps: ServerChangesDeps
  readonly #listeners = new CommitListeners()
  readonly #projects = new Map<SchemaName, Project>()
  readonly #activity: ActivityWatch
  #isClosed = false
  /** The former readers whose connections have not ended yet. */
  readonly #closing = new Set<Promise<void>>()

  constructor(deps: ServerChangesDeps) {
    this.#deps = deps
    this.#activity = new ActivityWatch(deps.wallClock, deps.queue)
  }

  watch(listener: CommitListener): void {
    this.#listeners.add(listener)
  }

  async capture(
    schemaName: SchemaName,
    relations: Sql,
    describe: Sql,
  ): Promise<string | undefined> {
    const project = this.#projectOf(schemaName)
    const reader = await this.#readerOf(schemaName, project)
    await prepareCapture(this.#deps, schemaName, 'postgres')
    reader.collectRows()
    project.isCapturing = true
    const { losses } = project
    const capture = captureRelations(schemaName, relations)
    const results = await this.#deps.admin(
      schemaName,
      script([LOCK_WITHIN, NO_EVENT_TRIGGERS, capture, describe]),
    )
    await this.#readerOf(schemaName, project)
    if (project.losses > losses) throw lostError()
    return cellText(results.at(-1)?.rows[0]?.[0])
  }

  async release(schemaName: SchemaName): Promise<void> {
    const project = this.#projectOf(schemaName)
    await prepareCapture(this.#deps, schemaName, 'postgres')
    const release = captureRelations(schemaName, NO_RELATION)
    await this.#deps.admin(schemaName, script([LOCK_WITHIN, NO_EVENT_TRIGGERS, release]))
    project.isCapturing = false
  }

  async opening(project: PlatformScope): Promise<void> {
    if (project === 'cluster') return
    try {
      await this.#readerOf(project, this.#projectOf(project))
    } catch {
      // The pool's connection fails for the same reason and reports the error.
    }
  }

  emptied(project: PlatformScope): void {
    if (project === 'cluster' || this.isCapturing(project)) return
    void this.#close(project)
  }

  async evict(project: PlatformScope): Promise<void> {
    if (project === 'cluster') return
    this.#projectOf(project).eviction ??= newEviction()
    await this.#close(project)
  }

  admitted(project: PlatformScope): void {
    if (project === 'cluster') return
    const known = this.#projectOf(project)
    known.eviction?.end()
    known.eviction = undefined
    if (known.isCapturing && !this.#isClosed) void this.#readAgain(project, known)
  }

  /** Whether changes of the project's rows are captured for subscribers. */
  isCapturing(schemaName: SchemaName): boolean {
    return this.#projects.get(schemaName)?.isCapturing === true
  }

  /**
   * Waits until the listeners have received and judged all commits up to now. Does nothing when the work's notices report no
   * commit.
   */
  async settle(schemaName: SchemaName, notices: readonly Notice[]): Promise<void> {
    if (!notices.some(isPlatformNotice)) return
    const reader = await this.#projects.get(schemaName)?.reader?.catch(() => undefined)
    await reader?.settle()
    await this.#listeners.judged(schemaName)
  }

  /** Reports a change of the schema that the server does not report, because it has no event triggers. */
  async schemaChanged(schemaName: SchemaName): Promise<void> {
    const reader = await this.#projects.get(schemaName)?.reader?.catch(() => undefined)
    reader?.deliver(SCHEMA_CHANGED)
    await reader?.settle()
  }

  /** Delivers all commits up to now and ends all reading connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#projects.keys()].map((schemaName) => this.#close(schemaName)))
    await Promise.all(this.#closing)
  }

  #projectOf(schemaName: SchemaName): Project {
    const known = this.#projects.get(schemaName)
    if (known !== undefined) return known
    const project: Project = {
      reader: undefined,
      isCapturing: false,
      losses: 0,
      wasOpen: false,
      eviction: undefined,
    }
    this.#projects.set(schemaName, project)
    return project
  }

  #readerOf(schemaName: SchemaName, project: Project): Promise<OutboxReader> {
    if (project.reader !== undefined) return project.reader
    const forget = () => {
      if (project.reader === opening) project.reader = undefined
    }
    const opening = this.#open(schemaName, project, forget)
    project.reader = opening
    opening.catch(forget)
    return opening
  }

  async #open(schemaName: SchemaName, project: Project, onLost: () => void): Promise<OutboxReader> {
    await project.eviction?.ended
    const connection = await this.#deps.logIn(schemaName)
    const reader = await OutboxReader.open(connection, {
      onCommit: (commit) => this.#listeners.committed({ schemaName, ...commit }),
      onMissed: (reason) => this.#missed(schemaName, reason),
      onLost: (reason) => {
        project.losses += 1
        onLost()
        this.#missed(schemaName, reason)
      },
    })
    const database = this.#deps.databaseOf(schemaName)
    this.#activity.add(database, reader)
    void connection.closed.then(() => this.#activity.remove(database, reader))
    // Another program may have changed the schema while nothing was read.
    if (project.wasOpen) reader.deliver(SCHEMA_CHANGED)
    project.wasOpen = true
    return reader
  }

  async #readAgain(schemaName: SchemaName, project: Project): Promise<void> {
    try {
      const { staleRows } = await this.#readerOf(schemaName, project)
      if (staleRows > 0) this.#missed(schemaName, PAUSED)
    } catch (error) {
      // The project was dropped or renamed, or the server is down. The project's subscriptions end.
      project.isCapturing = false
      this.#missed(schemaName, error instanceof Error ? error.message : String(error))
    }
  }

  // Commits that are missed while the engine closes no longer matter, and their listeners may already be closed.
  #missed(schemaName: SchemaName, reason: string): void {
    if (this.#isClosed) return
    this.#listeners.missed(schemaName, reason)
  }

  async #close(schemaName: SchemaName): Promise<void> {
    const project = this.#projects.get(schemaName)
    const opening = project?.reader
    if (project === undefined || opening === undefined) return
    project.reader = undefined
    const end = async () => (await opening.catch(() => undefined))?.close()
    const closing = end().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
    await closing
  }
}

function lostError(): SqlError {
  return new SqlError('57P02', 'the connection that reads row changes was lost', {
    hint: 'Try again.',
    retryAfterSeconds: 1,
  })
}

function newEviction(): NonNullable<Project['eviction']> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { ended: promise, end: resolve }
}

const SCHEMA_CHANGED: OrderedCommit = {
  rows: undefined,
  isSchemaChanged: true,
  requestId: undefined,
}
