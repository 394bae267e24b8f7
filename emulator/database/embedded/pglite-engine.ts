// Implements `Engine` with PGlite: turns its methods into requests to the database worker. The worker (worker/) confines
// tenants and runs transactions.
import { constants, cpSync } from 'node:fs'
import { join } from 'node:path'
import type { PlatformTime } from '../../core/platform-clock.ts'
import type { PostgresSession } from '../../core/postgres-session.ts'
import { openTemporaryDir } from '../data-dir/temporary-dir.ts'
import {
  type Answer,
  type ClientLogin,
  type Engine,
  type EngineFacts,
  type EngineStats,
  type Notice,
  type PlatformScope,
  requireOwnRole,
  SqlError,
  type StatementResult,
  type TenantQuestions,
  type TenantWork,
  type WorkResult,
} from '../engine.ts'
import type { EngineProjects } from '../engine-projects.ts'
import type { EngineAfterRestore, EngineStates, SavedState } from '../engine-states.ts'
import type { EngineBounds } from '../queue-errors.ts'
import type { EngineRehearsals, Rehearsal, RehearsalResult } from '../rehearsal.ts'
import type { SqlScript } from '../sql.ts'
import { renewCluster } from '../tenant-schema/cluster-sql.ts'
import { isPlatformNotice, withoutPlatformNotices } from '../tenant-schema/ddl-notice.ts'
import { projectsAsSchemas } from '../tenant-schema/projects-as-schemas.ts'
import { parseAnswers } from '../wire-protocol/backend-messages.ts'
import { EmbeddedChanges } from './embedded-changes.ts'
import { WorkerHost, type WorkerHostOptions } from './host/worker-host.ts'
import { EngineQueue } from './queue/engine-queue.ts'
import type { JobOutcome } from './queue/queued-job.ts'
import { rehearsalResult, sentRehearsal } from './rehearsal-messages.ts'
import { connectClient } from './sessions/client-session.ts'
import {
  plainStatement,
  type SentQuestions,
  type SentWork,
  type StateRequest,
} from './worker-protocol.ts'

export interface PgliteOptions extends WorkerHostOptions {
  /** Default: `DEFAULT_BOUNDS`. */
  readonly bounds?: EngineBounds
}

/**
 * Opens the embedded engine. The caller must hold the directory's lock (data-dir-lock.ts), because PGlite takes none itself.
 * @throws {SqlError} 57P02 when the engine does not start
 */
export async function openPgliteEngine(
  options: PgliteOptions,
): Promise<Engine & EngineStates & EngineRehearsals> {
  const host = new WorkerHost(options)
  await host.start()
  const queue = new EngineQueue(host, options.wallClock, options.bounds)
  const engine = new PgliteEngine(queue, host, (folder) => openSavedState(folder, options))
  try {
    await renewCluster(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

/** Opens a copy of a saved cluster in a temporary folder. @throws {SqlError} */
async function openSavedState(
  folder: string,
  { wallClock, ids, observe, clusterImage }: PgliteOptions,
): Promise<SavedState> {
  const passing = openTemporaryDir()
  const dataDir = join(passing.path, 'postgres')
  try {
    cpSync(folder, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
    const options = { dataDir, isTemporary: true, wallClock, ids, observe, clusterImage }
    const engine = await openPgliteEngine(options)
    const close = async (): Promise<void> => {
      await engine.close()
      passing.remove()
    }
    return { engine, close }
  } catch (error) {
    passing.remove()
    throw error
  }
}

/** After this number of rehearsals, the engine vacuums one catalogue. Vacuuming only one catalogue keeps each vacuum short. */
const VACUUM_EVERY_REHEARSALS = 4

class PgliteEngine implements Engine, EngineStates, EngineRehearsals {
  readonly facts: EngineFacts = { kind: 'embedded', movesSqlTime: true }
  readonly projects: EngineProjects = projectsAsSchemas(this)
  readonly changes = new EmbeddedChanges(this)
  readonly #queue: EngineQueue
  readonly #host: WorkerHost
  readonly openSaved: EngineStates['openSaved']
  #clients = 0
  #rehearsals = 0

  constructor(queue: EngineQueue, host: WorkerHost, openSaved: EngineStates['openSaved']) {
    this.#queue = queue
    this.#host = host
    this.openSaved = openSaved
  }

  async run(work: TenantWork): Promise<WorkResult> {
    const { reply, committed, changes, durationMillis } = await this.#submit(work)
    const { results, notices, error } = reply
    const told = this.changes.committed({
      schemaName: work.actor.schemaName,
      changes,
      // A script may have committed changes before it failed.
      isSchemaChanged:
        error === undefined ? committed && notices.some(isPlatformNotice) : hasRows(changes),
      requestId: work.requestId,
    })
    if (told !== undefined) await told
    if (error !== undefined) throw withNotices(error, withoutPlatformNotices(notices))
    return { results, committed, notices: withoutPlatformNotices(notices), durationMillis }
  }

  async #submit(work: TenantWork): Promise<JobOutcome> {
    try {
      return await this.#queue.submit({
        request: { kind: 'run', work: sentWork(work) },
        timeoutMillis: work.timeoutMillis,
        signal: work.signal,
        mayKeepOthersWaiting: work.mayKeepOthersWaiting,
      })
    } catch (error) {
      if (work.mode === 'readWrite') this.changes.failed(work.actor.schemaName, error)
      throw error
    }
  }

  async ask(questions: TenantQuestions): Promise<readonly Answer[]> {
    if (questions.questions.length === 0) return []
    const { bytes } = await this.#queue.submit({
      request: { kind: 'ask', asked: sentQuestions(questions) },
      timeoutMillis: questions.timeoutMillis,
    })
    return parseAnswers(bytes)
  }

  async rehearse(rehearsal: Rehearsal): Promise<RehearsalResult> {
    const { bytes, parts, durationMillis } = await this.#queue.submit({
      request: { kind: 'rehearse', rehearsal: sentRehearsal(rehearsal) },
      timeoutMillis: rehearsal.timeoutMillis,
      signal: rehearsal.signal,
    })
    const result = rehearsalResult(bytes, parts ?? [], durationMillis)
    this.#rehearsals += 1
    if (this.#rehearsals % VACUUM_EVERY_REHEARSALS !== 0) return result
    return { ...result, cleanUpMillis: await this.#vacuum() }
  }

  // The vacuum is a separate job, so that other requests can run between a rehearsal and the vacuum.
  async #vacuum(): Promise<number> {
    try {
      return (await this.#queue.submit({ request: { kind: 'vacuum' } })).durationMillis
    } catch {
      // The rehearsal is complete without its vacuum. The next vacuum of the catalogue frees the same rows.
      return 0
    }
  }

  async connect(login: ClientLogin): Promise<PostgresSession> {
    requireOwnRole(login)
    return await connectClient(this.#queue, ++this.#clients, login, this.changes)
  }

  async admin(_where: PlatformScope, work: SqlScript): Promise<readonly StatementResult[]> {
    const { reply } = await this.#queue.submit({ request: { kind: 'admin', text: work.text } })
    if (reply.error !== undefined) throw reply.error
    return reply.results
  }

  async setTime(time: PlatformTime): Promise<void> {
    await this.#queue.submit({ request: { kind: 'setTime', time } })
  }

  setBaseline(): Promise<void> {
    return this.#state('setBaseline')
  }

  async save(folder: string): Promise<number> {
    await this.#state('save', folder)
    return 0
  }

  restoreBaseline(): Promise<EngineAfterRestore> {
    return this.#load('restoreBaseline')
  }

  load(folder: string): Promise<EngineAfterRestore> {
    return this.#load('load', folder)
  }

  // Does nothing, because the folders already contain the whole state.
  async retain(): Promise<void> {}

  async #state(action: StateRequest['action'], folder = ''): Promise<void> {
    await this.#queue.submit({ request: { kind: 'state', action, folder } })
  }

  // When the engine dies during a restore, its next start completes the restore. The request of kind 'admin' waits for this
  // start.
  async #load(action: StateRequest['action'], folder = ''): Promise<EngineAfterRestore> {
    const { restarts } = this.#queue
    try {
      await this.#state(action, folder)
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== '57P02') throw error
      await this.#queue.submit({ request: { kind: 'admin', text: 'select' } })
      if (this.#queue.restarts === restarts) throw error
    }
    this.changes.stateReplaced()
    // Updates the platform's SQL, because an earlier release may have saved the state.
    await renewCluster(this)
    return this.#queue.restarts === restarts ? 'running' : 'restarted'
  }

  stats(): EngineStats {
    const { queued, submitted, isIdle, heapBytes, restarts, waitingShare, down } = this.#queue
    const { degraded } = this.#host
    const stats = { queued, submitted, isIdle, heapBytes, restarts, waitingShare, degraded }
    return down === undefined ? stats : { ...stats, down }
  }

  close(): Promise<void> {
    return this.#queue.close()
  }
}

function hasRows(result: StatementResult | undefined): boolean {
  return result !== undefined && result.rows.length > 0
}

// Adds the notices that Postgres sent before the error.
function withNotices(error: SqlError, notices: readonly Notice[]): SqlError {
  if (notices.length === 0) return error
  return new SqlError(error.code, error.message, { ...error.facts, notices })
}

/** The members that the worker needs, as values that another thread can receive. @throws {SqlError} as `requireOwnRole` */
function sentWork(work: TenantWork): SentWork {
  const { statements } = work
  return {
    actor: requireOwnRole(work.actor),
    settings: work.settings,
    mode: work.mode,
    statements: 'text' in statements ? statements : statements.map(plainStatement),
    end: work.end,
    postcondition: work.postcondition,
    maxResultBytes: work.maxResultBytes,
    refusesLargeResults: work.refusesLargeResults,
    firesNoEventTriggers: work.firesNoEventTriggers,
  }
}

/** @throws {SqlError} as `requireOwnRole` */
function sentQuestions({
  actor,
  settings,
  statement,
  questions,
  onlyRelation,
}: TenantQuestions): SentQuestions {
  return {
    actor: requireOwnRole(actor),
    settings,
    statement: plainStatement(statement),
    questions,
    ...(onlyRelation === undefined ? {} : { onlyRelation }),
  }
}
