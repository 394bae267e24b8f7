// Implements `Engine` with a PostgreSQL server: one database for each project, connections of its logins, and work that runs
// beside other work.
import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import { ownerRoleOf } from '../../core/names.ts'
import type { Observer } from '../../core/observation.ts'
import type { PostgresSession } from '../../core/postgres-session.ts'
import type { PreciseClock } from '../../core/stopwatch.ts'
import {
  type Answer,
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
import type { EngineClients } from '../engine-clients.ts'
import type { EngineProjects } from '../engine-projects.ts'
import { downError } from '../queue-errors.ts'
import type { EngineRehearsals, Rehearsal, RehearsalResult } from '../rehearsal.ts'
import { literal, type SqlScript, script, sql } from '../sql.ts'
import { withoutPlatformNotices } from '../tenant-schema/ddl-notice.ts'
import { shareOf } from '../waiting-share.ts'
import { NotificationQueue } from './changes/notification-queue.ts'
import { ServerChanges } from './changes/server-changes.ts'
import { databaseOf, Logins, sessionOptions } from './connections/logins.ts'
import type { ServerConnection } from './connections/server-connection.ts'
import { ConnectionPool } from './pool/connection-pool.ts'
import { type PoolBounds, poolBoundsFor } from './pool/pool-bounds.ts'
import type { Pooled, Seat } from './pool/seat.ts'
import { clientLogins } from './projects/client-logins.ts'
import type { DatabasesRoom } from './projects/databases-room.ts'
import { prepareServer } from './projects/empty-database.ts'
import { projectsAsDatabases } from './projects/projects-as-databases.ts'
import { type RepairLogins, repairsLogins } from './projects/repair-logins.ts'
import type { MissingCapability, RunningServer } from './server/running-server.ts'
import { PLATFORM_OPTIONS, runPlatformWork } from './work/platform-work.ts'
import { runRehearsal } from './work/rehearsal.ts'
import { mayChangeSchema } from './work/schema-tags.ts'
import { answerQuestions } from './work/tenant-questions.ts'
import { runScript } from './work/tenant-scripts.ts'
import { type Outcome, runStatements } from './work/tenant-work.ts'
import { LimitedWork, type Running, type WorkLimits } from './work/work-limits.ts'

export interface PostgresEngineOptions {
  readonly server: RunningServer
  readonly wallClock: Clock
  readonly preciseNow: PreciseClock
  readonly ids: IdSource
  /** Default: computed from the number of connections that the server allows. */
  readonly bounds?: PoolBounds | undefined
  /** Connections of the user's programs to one project. Default: 25. */
  readonly clientConnections?: number | undefined
  readonly observe?: Observer | undefined
}

/** The parts of the engine that projects and states use. */
export interface ServerEngineRoom extends DatabasesRoom {
  readonly server: RunningServer
  /** The number of sessions that the engine has opened in a project's database since it started. */
  sessionsOpened(project: PlatformScope): number
}

export class PostgresEngine implements Engine, EngineRehearsals {
  readonly facts: EngineFacts = { kind: 'postgres', movesSqlTime: false }
  readonly projects: EngineProjects
  readonly clients: EngineClients
  readonly changes: ServerChanges
  readonly room: ServerEngineRoom
  readonly #server: RunningServer
  readonly #logins: Logins
  readonly #pool: ConnectionPool
  readonly #limits: LimitedWork
  readonly #preciseNow: PreciseClock
  /** What projects lack on this server. */
  #gaps: readonly MissingCapability[] = []
  #submitted = 0
  #workedMillis = 0

  constructor(options: PostgresEngineOptions) {
    const { server, wallClock, preciseNow, ids, bounds, observe } = options
    this.#server = server
    this.#preciseNow = preciseNow
    this.#logins = new Logins(server)
    const repairLogins: RepairLogins = repairsLogins(() => this.room)
    this.changes = new ServerChanges({
      admin: (where, work) => this.admin(where, work),
      databaseOf: (schemaName) => databaseOf(server.prefix, schemaName),
      logIn: (schemaName) =>
        pool.openBeside(schemaName, {
          login: () => this.#logins.ofPlatform(schemaName),
          options: PLATFORM_OPTIONS,
        }),
      wallClock,
      queue: new NotificationQueue({
        prefix: server.prefix,
        onEnded: ({ database }, usage) =>
          observe?.({
            kind: 'engineDegraded',
            capability: 'room for notifications',
            consequence: `The queue of NOTIFY was ${Math.ceil(100 * usage)} % full. A session of ${database} that may have held it was ended.`,
          }),
      }),
    })
    const pool = new ConnectionPool({
      wallClock,
      preciseNow,
      ids,
      bounds: bounds ?? poolBoundsFor(server.facts.connectionLimit),
      repairLogins,
      companion: this.changes,
    })
    this.#pool = pool
    this.changes.watch({
      onCommit: ({ schemaName, isSchemaChanged }) => {
        if (isSchemaChanged) pool.schemaChanged(schemaName)
        return undefined
      },
      onMissed: (schemaName) => pool.schemaChanged(schemaName),
    })
    this.#limits = new LimitedWork(wallClock, (connection) => this.#kill(connection))
    this.room = {
      server,
      admin: (where, work) => this.admin(where, work),
      evict: (project) => pool.evict(project),
      sessionsOpened: (project) => pool.openedFor(project),
    }
    this.projects = projectsAsDatabases(this.room)
    this.clients = clientLogins(this.room, server, options.clientConnections)
  }

  /** Prepares the server for projects. Call this method before any other work. Safe to repeat. @throws {SqlError} */
  async prepare(): Promise<void> {
    this.#gaps = await prepareServer(this.room)
  }

  /** What projects lack on this server. Complete after `prepare`. */
  get missing(): readonly MissingCapability[] {
    return [...this.#server.facts.missing, ...this.#gaps]
  }

  async run(work: TenantWork): Promise<WorkResult> {
    const { actor, firesNoEventTriggers } = work
    const seat = firesNoEventTriggers === true ? this.#builderSeat(actor) : this.#seatOf(actor)
    const { outcome, durationMillis } = await this.#runOn(seat, work)
    const { results, committed, error, notices } = outcome
    // A failed script may have committed before it failed.
    const mayHaveCommitted = committed || error !== undefined
    if (notices.length > 0 && mayHaveCommitted) await this.changes.settle(actor.schemaName, notices)
    if (mayHaveCommitted && !this.#server.facts.isSuperuser && mayChangeSchema(results))
      await this.changes.schemaChanged(actor.schemaName)
    const own = withoutPlatformNotices(notices)
    if (error !== undefined) throw withNotices(error, own)
    return { results, committed, notices: own, durationMillis }
  }

  #runOn(
    seat: Seat,
    work: TenantWork,
  ): Promise<{ readonly outcome: Outcome; readonly durationMillis: number }> {
    const isTraced = work.requestId !== undefined && this.changes.isCapturing(work.actor.schemaName)
    return this.#during(seat, work, async (connection, running) => {
      const started = this.#preciseNow()
      const outcome = await runWork(connection, isTraced ? traced(work) : work)
      const { error } = outcome
      return {
        outcome: error === undefined ? outcome : { ...outcome, error: running.explain(error) },
        durationMillis: this.#preciseNow() - started,
      }
    })
  }

  async ask(asked: TenantQuestions): Promise<readonly Answer[]> {
    if (asked.questions.length === 0) return []
    const seat = this.#seatOf(asked.actor)
    return await this.#during(seat, asked, (connection, running) =>
      answerQuestions(connection, asked, running),
    )
  }

  async rehearse(rehearsal: Rehearsal): Promise<RehearsalResult> {
    const { actor, after, before } = rehearsal
    const { schemaName } = actor
    for (const { role } of [actor, ...before, ...after]) requireOwnRole({ schemaName, role })
    const seat = this.#pool.seatOf(schemaName, 'rehearsal', () => ({
      login: () => this.#logins.ofRehearsal(schemaName),
      options: sessionOptions(ownerRoleOf(schemaName)),
    }))
    return await this.#during(seat, rehearsal, (connection) =>
      runRehearsal(connection, rehearsal, this.#preciseNow),
    )
  }

  async admin(where: PlatformScope, work: SqlScript): Promise<readonly StatementResult[]> {
    const seat = this.#pool.seatOf(where, 'platform', () => ({
      login: () => this.#logins.ofPlatform(where),
      options: PLATFORM_OPTIONS,
    }))
    return await this.#during(seat, {}, (connection) => runPlatformWork(connection, work))
  }

  connect(): Promise<PostgresSession> {
    const message = 'clients of Postgres connect to the server itself'
    return Promise.reject(new SqlError('0A000', message))
  }

  async setTime(): Promise<void> {}

  stats(): EngineStats {
    const { restarts, down } = this.#server
    const { queued } = this.#pool
    return {
      queued,
      submitted: this.#submitted,
      isIdle: queued === 0 && down === undefined,
      restarts,
      waitingShare: shareOf(this.#pool.waitedMillis, this.#workedMillis),
      degraded: this.missing.map(({ capability }) => capability),
      ...(down === undefined ? {} : { down: down.reason }),
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
    await this.changes.close()
    this.#limits.close()
  }

  // Only the owner builds clones. No role of a tenant may turn event triggers off.
  #builderSeat({ schemaName, role }: TenantWork['actor']): Seat {
    if (role !== ownerRoleOf(schemaName)) return this.#seatOf({ schemaName, role })
    return this.#pool.seatOf(schemaName, 'builder', () => ({
      login: () => this.#logins.ofBuilder(schemaName),
      options: sessionOptions(role),
    }))
  }

  #seatOf(actor: TenantWork['actor']): Seat {
    requireOwnRole(actor)
    const { schemaName, role } = actor
    return this.#pool.seatOf(schemaName, role, () => ({
      login: () => this.#logins.ofActor(actor),
      options: sessionOptions(role),
    }))
  }

  async #during<Result>(
    seat: Seat,
    limits: WorkLimits,
    work: (connection: ServerConnection, running: Running) => Promise<Result>,
  ): Promise<Result> {
    this.#submitted += 1
    const { down } = this.#server
    if (down !== undefined) throw downError(down.reason, down.retryAfterSeconds)
    const taken = this.#pool.acquire(seat, limits.signal)
    const pooled = taken instanceof Promise ? await taken : taken
    const { connection } = pooled
    const running = this.#limits.begin(connection, limits)
    const started = this.#preciseNow()
    try {
      return await work(connection, running)
    } catch (error) {
      throw error instanceof SqlError ? running.explain(error) : error
    } finally {
      running.end()
      this.#workedMillis += this.#preciseNow() - started
      this.#giveBack(pooled)
    }
  }

  // A late cancel must not hit other work, so a cancelled connection is given back when no cancel is under way.
  #giveBack(pooled: Pooled): void {
    const { connection } = pooled
    if (!connection.isCancelPending) this.#pool.release(pooled)
    else
      connection
        .settleCancels()
        .catch((error: unknown) => connection.destroy(String(error)))
        .finally(() => this.#pool.release(pooled))
        .catch(() => undefined)
  }

  // The server ends the session; the connection reports the loss to the work.
  #kill({ processId }: ServerConnection): void {
    const text = sql`select pg_catalog.pg_terminate_backend(${literal(String(processId))}::pg_catalog.int4)`
    this.admin('cluster', script([text])).catch(() => undefined)
  }
}

function runWork(connection: ServerConnection, work: TenantWork): Promise<Outcome> {
  return 'text' in work.statements
    ? runScript(connection, work, work.statements.text)
    : runStatements(connection, work, work.statements)
}

// The triggers that capture row changes announce them with this setting.
function traced(work: TenantWork): TenantWork {
  return {
    ...work,
    settings: { ...work.settings, 'tenantry.request_id': work.requestId ?? '' },
  }
}

function withNotices(error: SqlError, notices: readonly Notice[]): SqlError {
  if (notices.length === 0) return error
  return new SqlError(error.code, error.message, { ...error.facts, notices })
}
