// Implements `EngineChanges` for a server: one listening connection for each project that has other connections or subscribers.
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
import type { OpenedSocket } from '../connections/log-in.ts'
import type { Companion } from '../pool/companion.ts'
import type { OrderedCommit } from './commit-order.ts'
import { ProjectListener } from './project-listener.ts'

export interface ServerChangesDeps extends Pick<Engine, 'admin'> {
  /** Logs in to the project's database as the platform. @throws {SqlError} */
  logIn(schemaName: SchemaName): Promise<OpenedSocket>
}

interface Project {
  /** Absent while no connection listens. */
  listener: Promise<ProjectListener> | undefined
  /** True while tables are captured for subscribers. */
  isCapturing: boolean
  /** The number of listeners whose connection was lost. */
  losses: number
  /** True when a listener was open before. */
  wasOpen: boolean
  /** Present while no connection may be open. Resolves when connections may open again. */
  eviction: { readonly ended: Promise<void>; readonly end: () => void } | undefined
}

// A trigger needs a lock that waits for the writers of its table, such as an open transaction in psql.
const LOCK_WITHIN = sql`set local lock_timeout = '5s'`
// The triggers of the platform concern tenants' changes. Only a superuser can switch them off, and create them.
const NO_EVENT_TRIGGERS = sql`select pg_catalog.set_config('event_triggers', 'off', true)
from pg_catalog.pg_roles where rolname = current_user and rolsuper`
const PAUSED = 'The project was moved or copied while its rows changed.'

export class ServerChanges implements EngineChanges, Companion {
  readonly #deps: ServerChangesDeps
  readonly #listeners = new CommitListeners()
  readonly #projects = new Map<SchemaName, Project>()
  /** The former listeners whose connections have not ended yet. */
  #isClosed = false
  readonly #closing = new Set<Promise<void>>()

  constructor(deps: ServerChangesDeps) {
    this.#deps = deps
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
    const listener = await this.#listenerOf(schemaName, project)
    await prepareCapture(this.#deps, schemaName, 'postgres')
    listener.collectRows()
    project.isCapturing = true
    const { losses } = project
    const capture = captureRelations(schemaName, relations)
    const results = await this.#deps.admin(
      schemaName,
      script([LOCK_WITHIN, NO_EVENT_TRIGGERS, capture, describe]),
    )
    await this.#listenerOf(schemaName, project)
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
      await this.#listenerOf(project, this.#projectOf(project))
    } catch {
      // The connection itself fails for the same reason and reports it.
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
    if (known.isCapturing && !this.#isClosed) void this.#listenAgain(project, known)
  }

  /** Whether changes of the project's rows are captured for subscribers. */
  isCapturing(schemaName: SchemaName): boolean {
    return this.#projects.get(schemaName)?.isCapturing === true
  }

  /**
   * Waits until listeners were called for what was committed until now and have judged it, when the work's notices tell of a
   * commit.
   */
  async settle(schemaName: SchemaName, notices: readonly Notice[]): Promise<void> {
    if (!notices.some(isPlatformNotice)) return
    const listener = await this.#projects.get(schemaName)?.listener?.catch(() => undefined)
    await listener?.settle()
    await this.#listeners.judged(schemaName)
  }

  /** Reports a change of the schema that the server does not report, because it has no event triggers. */
  async schemaChanged(schemaName: SchemaName): Promise<void> {
    const listener = await this.#projects.get(schemaName)?.listener?.catch(() => undefined)
    listener?.deliver(SCHEMA_CHANGED)
    await listener?.settle()
  }

  /** Delivers what was committed and ends all listening connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#projects.keys()].map((schemaName) => this.#close(schemaName)))
    await Promise.all(this.#closing)
  }

  #projectOf(schemaName: SchemaName): Project {
    const known = this.#projects.get(schemaName)
    if (known !== undefined) return known
    const project: Project = {
      listener: undefined,
      isCapturing: false,
      losses: 0,
      wasOpen: false,
      eviction: undefined,
    }
    this.#projects.set(schemaName, project)
    return project
  }

  #listenerOf(schemaName: SchemaName, project: Project): Promise<ProjectListener> {
    if (project.listener !== undefined) return project.listener
    const forget = () => {
      if (project.listener === opening) project.listener = undefined
    }
    const opening = this.#open(schemaName, project, forget)
    project.listener = opening
    opening.catch(forget)
    return opening
  }

  async #open(
    schemaName: SchemaName,
    project: Project,
    onLost: () => void,
  ): Promise<ProjectListener> {
    await project.eviction?.ended
    const { stream } = await this.#deps.logIn(schemaName)
    const listener = await ProjectListener.open(stream, {
      onCommit: (commit) => this.#listeners.committed({ schemaName, ...commit }),
      onMissed: (reason) => this.#missed(schemaName, reason),
      onLost: (reason) => {
        project.losses += 1
        onLost()
        this.#missed(schemaName, reason)
      },
    })
    // Another program may have changed the schema while nothing listened.
    if (project.wasOpen) listener.deliver(SCHEMA_CHANGED)
    project.wasOpen = true
    return listener
  }

  async #listenAgain(schemaName: SchemaName, project: Project): Promise<void> {
    try {
      const { staleRows } = await this.#listenerOf(schemaName, project)
      if (staleRows > 0) this.#missed(schemaName, PAUSED)
    } catch (error) {
      // The project was dropped or renamed, or the server is down. Its subscriptions end.
      project.isCapturing = false
      this.#missed(schemaName, error instanceof Error ? error.message : String(error))
    }
  }

  // What is missed at the close no longer matters, and its listeners may be closed.
  #missed(schemaName: SchemaName, reason: string): void {
    if (this.#isClosed) return
    this.#listeners.missed(schemaName, reason)
  }

  async #close(schemaName: SchemaName): Promise<void> {
    const project = this.#projects.get(schemaName)
    const opening = project?.listener
    if (project === undefined || opening === undefined) return
    project.listener = undefined
    const end = async () => (await opening.catch(() => undefined))?.close()
    const closing = end().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
    await closing
  }
}

function lostError(): SqlError {
  return new SqlError('57P02', 'the connection that listens to row changes was lost', {
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
