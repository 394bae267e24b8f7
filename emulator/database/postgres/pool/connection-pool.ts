// The connections to a server: a few for each login, within one limit for all. When the limit is reached, projects take turns, so
// that no project can keep all connections for itself.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import type { StopSignal } from '../../../core/stop-signal.ts'
import type { PreciseClock } from '../../../core/stopwatch.ts'
import type { PlatformScope, SqlError } from '../../engine.ts'
import { busyError, cancelError, closedError, DEFAULT_BOUNDS } from '../../queue-errors.ts'
import { PreparedStatements } from '../../wire-protocol/prepared-statements.ts'
import { logIn, type OpenedSocket } from '../connections/log-in.ts'
import { ServerConnection } from '../connections/server-connection.ts'
import type { RepairLogins } from '../projects/repair-logins.ts'
import type { ServerAddress } from '../server/running-server.ts'
import type { Companion } from './companion.ts'
import { IdleConnections } from './idle-connections.ts'
import { openForSeat } from './open-for-seat.ts'
import { openingError } from './opening-errors.ts'
import type { PoolBounds } from './pool-bounds.ts'
import type { Pooled, ProjectShare, Seat } from './seat.ts'
import { type SeatLogin, Seats } from './seats.ts'
import { WaitingWork } from './waiting-work.ts'

export interface PoolDeps {
  readonly wallClock: Clock
  readonly preciseNow: PreciseClock
  readonly ids: IdSource
  readonly companion: Companion
  readonly bounds: PoolBounds
  /** Called when the server refuses a login, before the second attempt. */
  readonly repairLogins: RepairLogins
}

// A login gets this number of connections at once when work waits. More follow when work has waited for PATIENCE_MILLIS,
// because quick statements need no more: two processors run two statements at a time.
const EAGER_CONNECTIONS = 4
const PATIENCE_MILLIS = 5
const LATER_MILLIS = 25
const MAX_WAITING = 5_000

export class ConnectionPool {
  readonly #deps: PoolDeps
  readonly #bounds: PoolBounds
  readonly #waiting: WaitingWork
  readonly #idle: IdleConnections
  readonly #seats = new Seats()
  readonly #opened = new Map<PlatformScope, number>()
  /** The texts of statements that any connection has seen. */
  readonly #seen = new Set<string>()
  #size = 0
  #busy = 0
  #waitedMillis = 0
  #stopPatience: Cancel | undefined
  #onIdle: (() => void) | undefined
  #isClosed = false

  constructor(deps: PoolDeps) {
    this.#deps = deps
    this.#bounds = deps.bounds
    this.#idle = new IdleConnections(deps.wallClock, (pooled) => {
      this.#close(pooled)
      this.#onRoom()
    })
    this.#waiting = new WaitingWork(deps.preciseNow, () => this.#afterWork())
  }

  /** The number of pieces of work that wait for a connection or have one. */
  get queued(): number {
    return this.#waiting.size + this.#busy
  }

  /** Wall-clock milliseconds that all work together has waited for connections. */
  get waitedMillis(): number {
    return this.#waitedMillis
  }

  /** The number of connections that were opened to a project's database. */
  openedFor(project: PlatformScope): number {
    return this.#opened.get(project) ?? 0
  }

  /** Opens a connection that does not belong to the pool. @throws {SqlError} as `acquire` */
  async openBeside(
    project: PlatformScope,
    { login, options }: SeatLogin,
  ): Promise<ServerConnection> {
    try {
      const address = login()
      const opened = await logIn(address, options)
      this.#countOpened(project)
      return this.#connectionOf(address, opened)
    } catch (error) {
      throw openingError(error, { login, project })
    }
  }

  /** The place of a login in the pool. @param loginOf called for a role that the pool does not know */
  seatOf(project: PlatformScope, role: string, loginOf: () => SeatLogin): Seat {
    return this.#seats.seatOf(project, role, loginOf)
  }

  /**
   * Takes a connection. The caller must give it back with `release`.
   * @throws {SqlError} 57014 aborted, 53300 too much waits, 57P02 closed, 57P03 the server is down, or 42704 without a login
   */
  acquire(seat: Seat, signal?: StopSignal): Pooled | Promise<Pooled> {
    const refusal = this.#refusal(signal)
    if (refusal !== undefined) return Promise.reject(refusal)
    const idle = seat.share.evictions === 0 ? this.#idle.take(seat) : undefined
    if (idle !== undefined) return this.#taken(idle)
    const taken = this.#waiting.add(seat, signal)
    this.#grow(seat, EAGER_CONNECTIONS)
    this.#stopPatience ??= this.#deps.wallClock.after(PATIENCE_MILLIS, () => this.#onPatience())
    return taken
  }

  /** Returns a connection to the pool. */
  release(pooled: Pooled): void {
    this.#busy -= 1
    // Only a used connection is closed for another login. A new connection serves its own login at least once, so that every
    // login makes progress.
    if (this.#mustYield(pooled.seat)) this.#close(pooled)
    else this.#place(pooled)
    if (pooled.isForgotten) this.#onRoom()
    this.#afterWork()
  }

  /** Makes the project's connections prepare their statements again. Called after a change of the project's schema. */
  schemaChanged(project: PlatformScope): void {
    this.#seats.schemaChanged(project)
  }

  /**
   * Ends the connections of a project when their work is done, and opens no new ones until the returned function is called. Work
   * of the project waits meanwhile.
   */
  async evict(project: PlatformScope): Promise<() => void> {
    const share = this.#seats.shareOf(project)
    share.evictions += 1
    for (const { idle } of this.#seats.seatsOf(share))
      for (const pooled of [...idle]) this.#close(pooled)
    while (share.connections.size > 0) await Promise.race(share.connections)
    await this.#deps.companion.evict(project)
    return () => {
      share.evictions -= 1
      if (share.evictions === 0) this.#deps.companion.admitted(project)
      for (const seat of this.#seats.seatsOf(share)) this.#grow(seat, EAGER_CONNECTIONS)
      this.#seats.dropUnused(project, share)
    }
  }

  /** Finishes all work, then ends all connections. */
  async close(): Promise<void> {
    if (this.queued > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    this.#isClosed = true
    this.#stopPatience?.()
    this.#idle.stop()
    for (const pooled of this.#idle.all) this.#close(pooled)
    await Promise.all(this.#seats.ends())
  }

  #afterWork(): void {
    if (this.queued === 0) this.#onIdle?.()
  }

  #refusal(signal: StopSignal | undefined): SqlError | undefined {
    if (this.#isClosed || this.#onIdle !== undefined) return closedError()
    if (signal?.aborted === true) return cancelError('abort', DEFAULT_BOUNDS)
    return this.#waiting.size >= MAX_WAITING ? this.#busyError() : undefined
  }

  #busyError(): SqlError {
    return busyError({ ...DEFAULT_BOUNDS, ...this.#bounds })
  }

  // Opens connections for waiting work, as far as the limits allow. Closes idle connections of other logins for this.
  #grow(seat: Seat, limit: number): void {
    const { share, waiting } = seat
    if (seat.hasFailed) return
    while (waiting.length > seat.opening && seat.size < limit && share.evictions === 0) {
      if (share.size >= this.#bounds.perProject && !this.#closeIdle(seat, share)) return
      if (this.#size >= this.#bounds.connections && !this.#closeIdle(seat)) return
      this.#waiting.moveLast(seat)
      void this.#open(seat)
    }
  }

  #closeIdle(wanting: Seat, share?: ProjectShare): boolean {
    const pooled = this.#idle.find(
      (seat) => seat !== wanting && (share === undefined || seat.share === share),
    )
    if (pooled !== undefined) this.#close(pooled)
    return pooled !== undefined
  }

  async #open(seat: Seat): Promise<void> {
    this.#count(seat, 1)
    seat.opening += 1
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    seat.share.connections.add(ended)
    void ended.then(() => this.#ended(seat, ended))
    try {
      const [{ address, opened }] = await Promise.all([
        openForSeat(seat, this.#deps.repairLogins),
        this.#deps.companion.opening(seat.project),
      ])
      seat.opening -= 1
      seat.hasFailed = false
      this.#countOpened(seat.project)
      const connection = this.#connectionOf(address, opened)
      const { schemaChanges } = seat.share
      const pooled: Pooled = { connection, seat, idleSince: 0, schemaChanges, isForgotten: false }
      void connection.closed.then(() => {
        this.#forget(pooled)
        this.#onRoom()
        end()
      })
      this.#place(pooled)
    } catch (error) {
      seat.opening -= 1
      end()
      this.#count(seat, -1)
      // The work continues to wait when the login has other connections.
      seat.hasFailed = seat.size > 0
      if (seat.size === 0) this.#waiting.refuse(seat, openingError(error, seat))
      this.#onRoom(seat)
    }
  }

  #connectionOf(address: ServerAddress, opened: OpenedSocket): ServerConnection {
    const prepared = new PreparedStatements(this.#deps.ids.secret(''), this.#seen)
    return new ServerConnection(address, opened, prepared)
  }

  #ended({ share, project }: Seat, ended: Promise<void>): void {
    share.connections.delete(ended)
    if (share.connections.size === 0 && share.evictions === 0) this.#deps.companion.emptied(project)
  }

  #countOpened(project: PlatformScope): void {
    this.#opened.set(project, this.openedFor(project) + 1)
  }

  #count(seat: Seat, change: 1 | -1): void {
    this.#size += change
    seat.size += change
    seat.share.size += change
  }

  // Gives a free connection to waiting work of its login.
  #place(pooled: Pooled): void {
    const { connection, seat } = pooled
    if (!connection.isOpen) this.#forget(pooled)
    else if (seat.share.evictions > 0 || this.#isClosed) this.#close(pooled)
    else {
      const waiter = this.#waiting.take(seat)
      if (waiter === undefined) this.#idle.add(pooled)
      else {
        this.#waitedMillis += this.#deps.preciseNow() - waiter.arrivedAt
        waiter.resolve(this.#taken(pooled))
      }
    }
  }

  #taken(pooled: Pooled): Pooled {
    this.#busy += 1
    const { schemaChanges } = pooled.seat.share
    if (pooled.schemaChanges < schemaChanges) pooled.connection.prepared.outdate()
    pooled.schemaChanges = schemaChanges
    return pooled
  }

  /**
   * Whether this login must give up a connection: another login has waiting work, has no connection, and could open one instead.
   */
  #mustYield({ share }: Seat): boolean {
    const isFull = this.#size >= this.#bounds.connections
    return this.#waiting.isStarving((other) => {
      if (other.share.evictions > 0) return false
      return other.share.size < this.#bounds.perProject ? isFull : other.share === share
    })
  }

  #close(pooled: Pooled): void {
    void pooled.connection.close()
    this.#forget(pooled)
  }

  #forget(pooled: Pooled): void {
    if (pooled.isForgotten) return
    pooled.isForgotten = true
    this.#idle.remove(pooled)
    this.#count(pooled.seat, -1)
  }

  // Logins without a connection come first, in the order in which they were served. A login that has just failed to connect does
  // not try again here. Otherwise a login that always fails would always have an attempt under way, and its work would never be
  // refused.
  #onRoom(failed?: Seat): void {
    const seats = this.#waiting.seats.filter((seat) => seat !== failed)
    for (const seat of seats) if (seat.isStarving) this.#grow(seat, 1)
    for (const seat of seats) this.#grow(seat, EAGER_CONNECTIONS)
  }

  #onPatience(): void {
    this.#stopPatience = undefined
    for (const seat of this.#waiting.seats) {
      this.#waiting.refuse(seat, this.#busyError(), this.#bounds.queueMillis)
      if (seat.opening === 0) seat.hasFailed = false
      this.#grow(seat, seat.size + 1)
    }
    if (this.#waiting.size > 0)
      this.#stopPatience = this.#deps.wallClock.after(LATER_MILLIS, () => this.#onPatience())
  }
}
