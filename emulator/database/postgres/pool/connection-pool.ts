// The connections to a server: a few for each login, within one limit for all. Projects take turns when the limit is reached,
// so that no project's work keeps the connections from another's.
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
import { isLoginRefused, noDatabaseError, openingError } from './opening-errors.ts'
import { type Pooled, type ProjectShare, Seat } from './seat.ts'
import { WaitingWork } from './waiting-work.ts'

export interface PoolBounds {
  /** Connections to the server at once. */
  readonly connections: number
  /** Connections of one project at once, so that slow work of one project leaves some to others. */
  readonly perProject: number
  /** Wall-clock milliseconds after which waiting work is refused. */
  readonly queueMillis: number
}

export const DEFAULT_POOL_BOUNDS: PoolBounds = {
  connections: 24,
  perProject: 16,
  queueMillis: DEFAULT_BOUNDS.queueMillis,
}

export interface PoolDeps {
  readonly wallClock: Clock
  readonly preciseNow: PreciseClock
  readonly ids: IdSource
  readonly companion: Companion
  /** Default: `DEFAULT_POOL_BOUNDS`. */
  readonly bounds?: PoolBounds | undefined
  /** Called when the server refuses a login, before the second attempt. */
  readonly repairLogins: RepairLogins
}

// A login gets so many connections at once when work waits. More follow when work has waited for PATIENCE_MILLIS, because
// quick statements need no more: two processors run two statements at a time.
const EAGER_CONNECTIONS = 4
const PATIENCE_MILLIS = 5
const LATER_MILLIS = 25
/** Sessions that are idle for so long are reset at once. */
const TIDY_MILLIS = 2
const IDLE_MILLIS = 60_000
const SWEEP_MILLIS = 15_000
const RETRY_WHEN_BUSY_SECONDS = 5
const MAX_WAITING = 5_000

export class ConnectionPool {
  readonly #deps: PoolDeps
  readonly #bounds: PoolBounds
  readonly #waiting: WaitingWork
  readonly #seats = new Map<string, Seat>()
  readonly #shares = new Map<PlatformScope, ProjectShare>()
  /** Connections that became idle since sessions were reset last. */
  readonly #untidy = new Set<Pooled>()
  readonly #opened = new Map<PlatformScope, number>()
  /** All idle connections, the least recently used one first. */
  readonly #idle = new Set<Pooled>()
  /** The texts of statements that any connection has seen. */
  readonly #seen = new Set<string>()
  #size = 0
  #busy = 0
  #waitedMillis = 0
  #stopPatience: Cancel | undefined
  #stopTidying: Cancel | undefined
  #stopSweep: Cancel | undefined
  #onIdle: (() => void) | undefined
  #isClosed = false

  constructor(deps: PoolDeps) {
    this.#deps = deps
    this.#bounds = deps.bounds ?? DEFAULT_POOL_BOUNDS
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
  async openBeside(project: PlatformScope, login: () => ServerAddress): Promise<OpenedSocket> {
    try {
      const opened = await logIn(login())
      this.#countOpened(project)
      return opened
    } catch (error) {
      throw openingError(error, { login, project })
    }
  }

  /** The place of a login in the pool. @param options settings of its sessions in libpq's form */
  seatOf(project: PlatformScope, role: string, login: () => ServerAddress, options?: string): Seat {
    const key = `${project} ${role}`
    const known = this.#seats.get(key)
    if (known !== undefined) return known
    const seat = new Seat(login, project, this.#shareOf(project), options)
    this.#seats.set(key, seat)
    return seat
  }

  /**
   * Takes a connection. The caller must give it back with `release`.
   * @throws {SqlError} 57014 aborted, 53300 too much waits, 57P02 closed, 57P03 the server is down, or 42704 without a login
   */
  acquire(seat: Seat, signal?: StopSignal): Pooled | Promise<Pooled> {
    const refusal = this.#refusal(signal)
    if (refusal !== undefined) return Promise.reject(refusal)
    const idle = seat.share.evictions === 0 ? seat.idle.pop() : undefined
    if (idle !== undefined) {
      this.#idle.delete(idle)
      this.#busy += 1
      return idle
    }
    const taken = this.#waiting.add(seat, signal)
    this.#grow(seat, EAGER_CONNECTIONS)
    this.#stopPatience ??= this.#deps.wallClock.after(PATIENCE_MILLIS, () => this.#onPatience())
    return taken
  }

  /** Takes a connection back. */
  release(pooled: Pooled): void {
    this.#busy -= 1
    // Not a new connection: each serves its login at least once, so that all make progress.
    if (this.#mustYield(pooled.seat)) this.#close(pooled)
    else this.#place(pooled)
    if (pooled.isForgotten) this.#onRoom()
    this.#afterWork()
  }

  /**
   * Ends the connections of a project when their work is done, and keeps new ones away until the returned function is called.
   * Work of the project waits meanwhile.
   */
  async evict(project: PlatformScope): Promise<() => void> {
    const share = this.#shareOf(project)
    const seats = () => [...this.#seats.values()].filter((seat) => seat.share === share)
    share.evictions += 1
    for (const { idle } of seats()) for (const pooled of [...idle]) this.#close(pooled)
    while (share.connections.size > 0) await Promise.race(share.connections)
    await this.#deps.companion.evict(project)
    return () => {
      share.evictions -= 1
      if (share.evictions === 0) this.#deps.companion.admitted(project)
      for (const seat of seats()) this.#grow(seat, EAGER_CONNECTIONS)
      this.#dropUnused(project, share)
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
    this.#stopTidying?.()
    this.#stopSweep?.()
    for (const pooled of [...this.#idle]) this.#close(pooled)
    const all = [...this.#shares.values()].flatMap(({ connections }) => [...connections])
    await Promise.all(all)
  }

  // Projects that were dropped or renamed leave nothing behind.
  #dropUnused(project: PlatformScope, share: ProjectShare): void {
    if (share.evictions > 0 || share.size > 0) return
    for (const [key, seat] of this.#seats)
      if (seat.share === share && seat.waiting.length === 0) this.#seats.delete(key)
    if (![...this.#seats.values()].some((seat) => seat.share === share))
      this.#shares.delete(project)
  }

  #afterWork(): void {
    if (this.queued === 0) this.#onIdle?.()
  }

  #shareOf(project: PlatformScope): ProjectShare {
    const known = this.#shares.get(project)
    if (known !== undefined) return known
    const share: ProjectShare = { size: 0, evictions: 0, connections: new Set() }
    this.#shares.set(project, share)
    return share
  }

  #refusal(signal: StopSignal | undefined): SqlError | undefined {
    if (this.#isClosed || this.#onIdle !== undefined) return closedError()
    if (signal?.aborted === true) return cancelError('abort', DEFAULT_BOUNDS)
    return this.#waiting.size >= MAX_WAITING ? this.#busyError() : undefined
  }

  #busyError(): SqlError {
    return busyError({ ...DEFAULT_BOUNDS, ...this.#bounds }, RETRY_WHEN_BUSY_SECONDS)
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
    for (const pooled of this.#idle) {
      const { seat } = pooled
      if (seat === wanting || (share !== undefined && seat.share !== share)) continue
      this.#close(pooled)
      return true
    }
    return false
  }

  async #open(seat: Seat): Promise<void> {
    this.#count(seat, 1)
    seat.opening += 1
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    seat.share.connections.add(ended)
    void ended.then(() => this.#ended(seat, ended))
    try {
      const [{ address, opened }] = await Promise.all([
        this.#logIn(seat),
        this.#deps.companion.opening(seat.project),
      ])
      seat.opening -= 1
      seat.hasFailed = false
      this.#countOpened(seat.project)
      const prepared = new PreparedStatements(this.#deps.ids.secret(''), this.#seen)
      const connection = new ServerConnection(address, opened, prepared)
      const pooled: Pooled = { connection, seat, idleSince: 0, isForgotten: false }
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
      // Work waits on when the login has other connections.
      seat.hasFailed = seat.size > 0
      if (seat.size === 0) this.#waiting.refuse(seat, openingError(error, seat))
      this.#onRoom(seat)
    }
  }

  #ended({ share, project }: Seat, ended: Promise<void>): void {
    share.connections.delete(ended)
    if (share.connections.size === 0 && share.evictions === 0) this.#deps.companion.emptied(project)
  }

  #countOpened(project: PlatformScope): void {
    this.#opened.set(project, this.openedFor(project) + 1)
  }

  async #logIn(seat: Seat): Promise<{ address: ServerAddress; opened: OpenedSocket }> {
    const { login, options, project } = seat
    const attempt = async () => {
      const address = login()
      return { address, opened: await logIn(address, options) }
    }
    try {
      return await attempt()
    } catch (error) {
      if (project === 'cluster' || !isLoginRefused(error)) throw error
      if (!(await this.#deps.repairLogins(project))) throw noDatabaseError(project)
      return await attempt()
    }
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
      if (waiter === undefined) this.#rest(pooled)
      else {
        this.#busy += 1
        this.#waitedMillis += this.#deps.preciseNow() - waiter.arrivedAt
        waiter.resolve(pooled)
      }
    }
  }

  #rest(pooled: Pooled): void {
    pooled.idleSince = this.#deps.wallClock.now()
    pooled.seat.idle.push(pooled)
    this.#idle.add(pooled)
    this.#untidy.add(pooled)
    this.#stopTidying ??= this.#deps.wallClock.after(TIDY_MILLIS, () => this.#tidy())
    this.#stopSweep ??= this.#deps.wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }

  /** Whether another login has work and no connection, and could open one in place of one of this login. */
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
    pooled.seat.removeIdle(pooled)
    this.#idle.delete(pooled)
    this.#count(pooled.seat, -1)
  }

  // Logins without a connection come first, in the order in which they were served.
  // A login that has just failed gets no other connection here. Otherwise a login that always fails would never be without an
  // opening one, and its work would not be refused.
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

  // Resets sessions that stay idle, so that advisory locks of functions are released. Other sessions are reset by their next work.
  #tidy(): void {
    this.#stopTidying = undefined
    for (const pooled of this.#untidy) if (this.#idle.has(pooled)) pooled.connection.tidy()
    this.#untidy.clear()
  }

  #sweep(): void {
    this.#stopSweep = undefined
    const before = this.#deps.wallClock.now() - IDLE_MILLIS
    for (const pooled of this.#idle) {
      if (pooled.idleSince > before) break
      this.#close(pooled)
    }
    if (this.#idle.size > 0)
      this.#stopSweep = this.#deps.wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }
}
