// Keeps the server's queue of notifications usable for all projects. A session that listens and is in a transaction, or does not
// read, keeps every later notification of all databases in the queue. When the queue is full, each NOTIFY fails. Neither NOTIFY
// nor LISTEN needs a right that could be revoked, so sessions that may hold the queue are ended.
import { cellText, type StatementResult } from '../../engine.ts'
import { literal, type Sql, sql } from '../../sql.ts'

/** The share of the queue that notifications may fill before sessions are ended. */
export const CROWDED = 0.05
/** Number of checks between two ended sessions, and before ending a session whose project does not notify: about one second. */
const PATIENCE_LOOKS = 20

export interface QueueSession {
  readonly processId: number
  readonly database: string
  /** True while the session commits notifications, or waits for other sessions that commit notifications. */
  readonly isNotifying: boolean
  /** The seconds for which the session may have held the queue; `undefined` when the session cannot hold the queue. */
  readonly heldSeconds: number | undefined
}

export interface NotificationQueueDeps {
  /** The beginning of the names of the projects' databases. */
  readonly prefix: string
  /** Called after a session was ended. */
  onEnded(session: QueueSession, usage: number): void
}

export class NotificationQueue {
  readonly #deps: NotificationQueueDeps
  /** The number of checks that found a database notifying since the queue became crowded. */
  readonly #notified = new Map<string, number>()
  /** Number of checks since the queue became crowded, or since a session was ended. */
  #looks = 0
  #hasEnded = false

  constructor(deps: NotificationQueueDeps) {
    this.#deps = deps
  }

  /**
   * Ends a session when the queue is crowded. Call this method at each check.
   * @param usage the used share of the queue, 0 to 1
   */
  async check(
    usage: number,
    query: (statement: Sql) => Promise<StatementResult['rows']>,
  ): Promise<void> {
    if (usage < CROWDED) return this.#forget()
    const found = await query(sessionsOf(this.#deps.prefix))
    const held = this.holderOf(found.map(sessionOf))
    if (held === undefined) return
    await query(sql`select pg_terminate_backend(${literal(String(held.processId))}::integer)`)
    this.#deps.onEnded(held, usage)
  }

  /**
   * Chooses the session to end: the one that has held the queue longest in the database that notifies most. After a second,
   * sessions of databases that do not notify are also chosen.
   */
  holderOf(sessions: readonly QueueSession[]): QueueSession | undefined {
    this.#looks += 1
    for (const database of new Set(sessions.filter(isNotifying).map(databaseOf)))
      this.#notified.set(database, (this.#notified.get(database) ?? 0) + 1)
    const isPatient = this.#looks > PATIENCE_LOOKS
    if (this.#hasEnded && !isPatient) return undefined
    const holders = sessions.filter((session) => session.heldSeconds !== undefined)
    const [worst] = holders.toSorted(
      (one, other) =>
        this.#notifiedBy(other) - this.#notifiedBy(one) ||
        (other.heldSeconds ?? 0) - (one.heldSeconds ?? 0),
    )
    if (worst === undefined || (this.#notifiedBy(worst) === 0 && !isPatient)) return undefined
    this.#hasEnded = true
    this.#looks = 0
    return worst
  }

  #notifiedBy({ database }: QueueSession): number {
    return this.#notified.get(database) ?? 0
  }

  #forget(): void {
    this.#notified.clear()
    this.#looks = 0
    this.#hasEnded = false
  }
}

function isNotifying(session: QueueSession): boolean {
  return session.isNotifying
}

function databaseOf({ database }: QueueSession): string {
  return database
}

// Sessions of projects' logins. A listening session takes its notifications out of the queue between transactions, unless its
// program does not read them. A commit that notifies locks the object 0 of pg_database (PostgreSQL source, async.c). A procedure
// can begin new transactions inside one statement, so the earlier start counts: the transaction's or the statement's.
function sessionsOf(prefix: string): Sql {
  return sql`select session.pid, database.datname,
  exists (
    select from pg_locks as held
    where held.pid = session.pid and held.locktype = 'object' and held.database = 0
      and held.classid = 'pg_database'::regclass and held.objid = 0),
  extract(epoch from clock_timestamp() - busy.since)
from pg_stat_get_activity(null) as session
join pg_database as database on database.oid = session.datid
cross join lateral (
  select case
    when session.state <> 'idle' then least(session.xact_start, session.query_start)
    when session.wait_event = 'ClientWrite' then session.state_change
  end as since) as began
left join lateral (
  select began.since where began.since < clock_timestamp() - interval '1 second') as busy on true
where starts_with(database.datname, ${literal(`${prefix}proj_`)})
  and session.usesysid <> (select oid from pg_roles where rolname = current_user)`
}

function sessionOf(row: StatementResult['rows'][number]): QueueSession {
  const [processId, database = '', notifies, heldSeconds] = row.map(cellText)
  return {
    processId: Number(processId),
    database,
    isNotifying: notifies === 't',
    heldSeconds: heldSeconds === undefined ? undefined : Number(heldSeconds),
  }
}
