// Notices commits of other programs, such as psql, which connect to the server without the engine. Reads the server's list of
// sessions at intervals. NOTIFY could report commits directly, but a tenant can fill its queue (28-announcements.sql). Each check
// also reads how full the queue of NOTIFY is.
import type { Cancel, Clock } from '../../../core/clock.ts'
import { cellText, type StatementResult } from '../../engine.ts'
import { join, literal, type Sql, sql, verbatim } from '../../sql.ts'
import type { NotificationQueue } from './notification-queue.ts'

// Wall-clock milliseconds between two checks: the longest time that a commit of another program stays unnoticed. After 5 s in
// which no session did anything, fewer checks save processor time: 0.4 % of one core instead of 1.5 %.
const LOOK_EVERY_MILLIS = 50
const LOOK_WHEN_QUIET_MILLIS = 200
const QUIET_AFTER_LOOKS = 100

/** A reader of the commits of one database. */
export interface WatchingReader {
  /** The id of the server process that serves the reader's session. */
  readonly processId: number
  /** True while the reader reads commits. */
  readonly isReading: boolean
  query(statement: Sql): Promise<StatementResult['rows']>
  /** Called when the database's sessions may have committed. */
  wake(): void
}

export class ActivityWatch {
  readonly #wallClock: Clock
  readonly #queue: NotificationQueue
  readonly #readers = new Map<string, WatchingReader>()
  /** The activity that the last check found, by database. */
  #traces: ReadonlyMap<string, string> = new Map()
  /** The number of checks since a session was last active. */
  #quietLooks = 0
  #stop: Cancel | undefined

  constructor(wallClock: Clock, queue: NotificationQueue) {
    this.#wallClock = wallClock
    this.#queue = queue
  }

  /** Starts to wake the database's reader. */
  add(database: string, reader: WatchingReader): void {
    this.#readers.set(database, reader)
    this.#arm()
  }

  remove(database: string, reader: WatchingReader): void {
    if (this.#readers.get(database) === reader) this.#readers.delete(database)
    if (this.#readers.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  #arm(): void {
    if (this.#readers.size === 0) return
    const isQuiet = this.#quietLooks > QUIET_AFTER_LOOKS
    const millis = isQuiet ? LOOK_WHEN_QUIET_MILLIS : LOOK_EVERY_MILLIS
    this.#stop ??= this.#wallClock.after(millis, () => void this.#onTime())
  }

  async #onTime(): Promise<void> {
    try {
      await this.#look()
    } catch {
      // The connection has ended; the connection's owner reports the loss.
    }
    this.#stop = undefined
    this.#arm()
  }

  // Any reader can check for all projects. A reader with many commits of its own project must not delay the check.
  async #look(): Promise<void> {
    const readers = [...this.#readers.values()]
    const reader = readers.find(({ isReading }) => !isReading) ?? readers[0]
    if (reader === undefined) return
    const before = this.#traces
    this.#quietLooks += 1
    const found = await reader.query(activityOf(this.#readers))
    const traces = new Map<string, string>()
    let queueUsage = 0
    for (const [database = '', trace = '', isBusy, usage] of found.map((row) =>
      row.map(cellText),
    )) {
      traces.set(database, trace)
      queueUsage = Number(usage)
      if (isBusy === 't' || before.get(database) !== trace) this.#wake(database)
    }
    this.#traces = traces
    await this.#queue.check(queueUsage, (statement) => reader.query(statement))
  }

  #wake(database: string): void {
    this.#quietLooks = 0
    this.#readers.get(database)?.wake()
  }
}

// For each database: a text that changes when a session begins, ends, or begins or finishes a statement, and whether a session
// works right now. The server counts a session at its end at the latest. The text therefore also changes when a session
// began and ended between two checks. A state that the account may not read, or that the server does not record, counts as work.
function activityOf(readers: ReadonlyMap<string, WatchingReader>): Sql {
  const own = verbatim(Array.from(readers.values(), ({ processId }) => processId).join(', '))
  return sql`select database.datname,
  concat(pg_stat_get_db_sessions(database.oid),
    string_agg(concat(' ', session.pid, ' ', session.state_change), '' order by session.pid)),
  coalesce(bool_or(session.pid is not null and session.state is distinct from 'idle'), false),
  (select pg_notification_queue_usage())
from pg_database as database
left join pg_stat_get_activity(null) as session
  on session.datid = database.oid and session.pid not in (${own})
where database.datname in (${join(Array.from(readers.keys(), literal))})
group by database.oid, database.datname`
}
