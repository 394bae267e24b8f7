// The connections to a server: a few for each login, within one limit for all. Projects take turns when the limit is reached,
// so that no project's work keeps the connections from another's.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import type { StopSignal } from '../../../core/stop-signal.ts'
import type { PreciseClock } from '../../../core/stopwatch.ts'
import type { PlatformScope, SqlError } from '../../engine.ts'
import { busyError, cancelError, closedError, DEFAULT_BOUNDS } from '../../queue-errors.ts'
import { PreparedStatements } from '../../wire-protocol/prepared-statements.ts'
import { logIn } from '../connections/log-in.ts'
import { ServerConnection } from '../connections/server-connection.ts'
import type { ServerAddress } from '../server/running-server.ts'
import { openingError } from './opening-errors.ts'
import { type Pooled, type ProjectShare, Seat, type Waiter } from './seat.ts'

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
  readonly bounds?: PoolBounds | undefined
  /** Opens a connection. Default: over the network. */
  readonly open?: typeof logIn
}

// A login gets so many connections at once when work waits. More follow when work has waited for PATIENCE_MILLIS, because
// quick statements need no more: two processors run two statements at a time.
const EAGER_CONNECTIONS = 4
const PATIENCE_MILLIS = 5
const LATER_MILLIS = 25
const IDLE_MILLIS = 60_000
const SWEEP_MILLIS = 15_000
const RETRY_WHEN_BUSY_SECONDS = 5
const MAX_WAITING = 5_000

export class ConnectionPool {
  readonly #deps: PoolDeps
  readonly #bounds: PoolBounds
  readonly #open: typeof logIn
  readonly #seats = new Map<string, Seat>()
  readonly #shares = new Map<PlatformScope, ProjectShare>()
  /** All idle connections, the least recently used one first. */
  readonly #idle = new Set<Pooled>()
  readonly #withWaiters = new Set<Seat>()
  readonly #closing = new Set<Promise<void>>()
  readonly #seen = new Set<string>()
  #size = 0
  #busy = 0
  #waiting = 0
  #waitedMillis = 0
  #stopPatience: Cancel | undefined
  #stopSweep: Cancel | undefined
  #isClosed = false
  #onIdle: (() => void) | undefined

  constructor(deps: PoolDeps) {
    this.#deps = deps
    this.#bounds = deps.bounds ?? DEFAULT_POOL_BOUNDS
    this.#open = deps.open ?? logIn
  }

  /** The number of pieces of work that wait for a connection or have one. */
  get queued(): number {
    return this.#waiting + this.#busy
  }

  /** Wall-clock milliseconds that all work together has waited for connections. */
  get waitedMillis(): number {
    return this.#waitedMillis
  }

  /** The place of a login in the pool. */
  seatOf(project: PlatformScope, address: ServerAddress, options?: string): Seat {
    const key = `${address.database} ${address.user}`
    const known = this.#seats.get(key)
    if (known !== undefined) return known
    const seat = new Seat(address, project, this.#shareOf(project), options)
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
    const idle = seat.share.holders === 0 ? seat.idle.pop() : undefined
    if (idle === undefined) return this.#wait(seat, signal)
    this.#idle.delete(idle)
    this.#busy += 1
    return idle
  }

  /** Gives a connection back. */
  release(pooled: Pooled): void {
    this.#busy -= 1
    this.#place(pooled)
    if (this.queued === 0) this.#onIdle?.()
  }

  /**
   * Keeps all connections away from a project until the returned function is called: its databases can be copied, renamed and
   * dropped only without sessions. Work of the project waits meanwhile.
   */
  async hold(project: PlatformScope): Promise<() => void> {
    const share = this.#shareOf(project)
    share.holders += 1
    for (const seat of this.#seatsOf(share)) for (const pooled of [...seat.idle]) this.#close(pooled)
    while (share.size > 0 || share.closing.size > 0) {
      await Promise.all(share.closing)
      if (share.size > 0) await new Promise<void>((resolve) => this.#whenGone.add(resolve))
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      share.holders -= 1
      for (const seat of this.#seatsOf(share)) this.#grow(seat, EAGER_CONNECTIONS)
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
    this.#stopSweep?.()
    for (const pooled of [...this.#idle]) this.#close(pooled)
    await Promise.all(this.#closing)
  }

  readonly #whenGone = new Set<() => void>()

  #shareOf(project: PlatformScope): ProjectShare {
    const known = this.#shares.get(project)
    if (known !== undefined) return known
    const share: ProjectShare = { size: 0, holders: 0, closing: new Set() }
    this.#shares.set(project, share)
    return share
  }

  #seatsOf(share: ProjectShare): readonly Seat[] {
    return [...this.#seats.values()].filter((seat) => seat.share === share)
  }

  #refusal(signal: StopSignal | undefined): SqlError | undefined {
    if (this.#isClosed || this.#onIdle !== undefined) return closedError()
    if (signal?.aborted === true) return cancelError('abort', DEFAULT_BOUNDS)
    return this.#waiting >= MAX_WAITING ? this.#busyError() : undefined
  }

  #busyError(): SqlError {
    return busyError({ ...DEFAULT_BOUNDS, ...this.#bounds }, RETRY_WHEN_BUSY_SECONDS)
  }

  #wait(seat: Seat, signal: StopSignal | undefined): Promise<Pooled> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (this.#removeWaiter(seat, waiter)) reject(cancelError('abort', DEFAULT_BOUNDS))
      }
      const forgetSignal = () => signal?.removeEventListener('abort', onAbort)
      const waiter: Waiter = {
        arrivedAt: this.#deps.preciseNow(),
        resolve: (pooled) => {
          forgetSignal()
          resolve(pooled)
        },
        reject: (error) => {
          forgetSignal()
          reject(error)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      seat.waiting.push(waiter)
      this.#withWaiters.add(seat)
      this.#waiting += 1
      this.#grow(seat, EAGER_CONNECTIONS)
      this.#stopPatience ??= this.#deps.wallClock.after(PATIENCE_MILLIS, () => this.#onPatience())
    })
  }

  #removeWaiter(seat: Seat, waiter: Waiter): boolean {
    if (!seat.removeWaiter(waiter)) return false
    this.#waiting -= 1
    if (seat.waiting.length === 0) this.#withWaiters.delete(seat)
    if (this.queued === 0) this.#onIdle?.()
    return true
  }

  // Opens connections for waiting work, as far as the limits allow. Closes idle connections of other logins for this.
  #grow(seat: Seat, limit: number): void {
    while (seat.waiting.length > seat.opening && seat.size < limit && seat.share.holders === 0) {
      if (seat.share.size >= this.#bounds.perProject && !this.#closeIdle(seat, seat.share)) return
      if (this.#size >= this.#bounds.connections && !this.#closeIdle(seat)) return
      void this.#openFor(seat)
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

  async #openFor(seat: Seat): Promise<void> {
    this.#count(seat, 1)
    seat.opening += 1
    try {
      const opened = await this.#open(seat.address, seat.options)
      seat.opening -= 1
      const secret = this.#deps.ids.secret('')
      const prepared = new PreparedStatements(secret, this.#seen)
      const connection = new ServerConnection(seat.address, opened, prepared)
      const pooled: Pooled = { connection, seat, idleSince: 0, isForgotten: false }
      void connection.closed.then(() => this.#forget(pooled))
      this.#place(pooled)
    } catch (error) {
      seat.opening -= 1
      this.#count(seat, -1)
      this.#onOpeningFailed(seat, openingError(error, seat))
    }
  }

  // Work waits on when the login has other connections.
  #onOpeningFailed(seat: Seat, error: SqlError): void {
    if (seat.size === 0)
      for (const waiter of [...seat.waiting])
        if (this.#removeWaiter(seat, waiter)) waiter.reject(error)
    this.#onRoom()
  }

  #count(seat: Seat, change: 1 | -1): void {
    this.#size += change
    seat.size += change
    seat.share.size += change
    if (seat.share.size > 0) return
    for (const onGone of this.#whenGone) onGone()
    this.#whenGone.clear()
  }

  // Gives a free connection to waiting work of its login, unless another login has work and no connection at all.
  #place(pooled: Pooled): void {
    const { connection, seat } = pooled
    if (!connection.isOpen) this.#forget(pooled)
    else if (seat.share.holders > 0 || this.#isClosed || this.#starving(seat)) this.#close(pooled)
    else {
      const waiter = seat.waiting[0]
      if (waiter !== undefined && this.#removeWaiterOf(seat, waiter)) this.#give(pooled, waiter)
      else this.#rest(pooled)
    }
  }

  #removeWaiterOf(seat: Seat, waiter: Waiter): boolean {
    // Counts as busy first, so that the pool does not look idle in between.
    this.#busy += 1
    if (this.#removeWaiter(seat, waiter)) return true
    this.#busy -= 1
    return false
  }

  #give(pooled: Pooled, waiter: Waiter): void {
    this.#waitedMillis += this.#deps.preciseNow() - waiter.arrivedAt
    waiter.resolve(pooled)
  }

  #rest(pooled: Pooled): void {
    pooled.idleSince = this.#deps.wallClock.now()
    pooled.seat.idle.push(pooled)
    this.#idle.add(pooled)
    this.#stopSweep ??= this.#deps.wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }

  /** Whether another login has work and no connection, and could open one in place of one of this login. */
  #starving(seat: Seat): boolean {
    if (this.#withWaiters.size === 0) return false
    for (const other of this.#withWaiters)
      if (other !== seat && other.isStarving && other.share.holders === 0) {
        const isShareFull = other.share.size >= this.#bounds.perProject
        if (isShareFull ? other.share === seat.share : this.#size >= this.#bounds.connections)
          return true
      }
    return false
  }

  #close(pooled: Pooled): void {
    const { share } = pooled.seat
    const closed = pooled.connection.close().finally(() => {
      this.#closing.delete(closed)
      share.closing.delete(closed)
    })
    this.#closing.add(closed)
    share.closing.add(closed)
    this.#forget(pooled)
  }

  #forget(pooled: Pooled): void {
    if (pooled.isForgotten) return
    pooled.isForgotten = true
    pooled.seat.removeIdle(pooled)
    this.#idle.delete(pooled)
    this.#count(pooled.seat, -1)
    this.#onRoom()
  }

  // Logins without a connection come first, in the order in which they began to wait.
  #onRoom(): void {
    for (const seat of this.#withWaiters) if (seat.isStarving) this.#grow(seat, 1)
    for (const seat of this.#withWaiters) this.#grow(seat, EAGER_CONNECTIONS)
  }

  #onPatience(): void {
    this.#stopPatience = undefined
    const now = this.#deps.preciseNow()
    for (const seat of this.#withWaiters) {
      for (const waiter of [...seat.waiting])
        if (now - waiter.arrivedAt < this.#bounds.queueMillis) break
        else if (this.#removeWaiter(seat, waiter)) waiter.reject(this.#busyError())
      this.#grow(seat, seat.size + 1)
    }
    if (this.#waiting > 0)
      this.#stopPatience = this.#deps.wallClock.after(LATER_MILLIS, () => this.#onPatience())
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
