// Reads the commits of one project and delivers them in their order. Reads in rounds, one after the other; each round takes
// everything that is visible.
import { cellText, type StatementResult } from '../../engine.ts'
import { type Sql, sql } from '../../sql.ts'
import { parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import type { WatchingReader } from './activity-watch.ts'
import { commitsOf, type OrderedCommit, takeCommits } from './round-commits.ts'

export interface OutboxReaderEvents {
  /** Called for each commit, after the promise for the previous commit has settled. */
  onCommit(commit: OrderedCommit): Promise<void>
  /** Called when a commit could not be read or delivered. */
  onMissed(reason: string): void
  /** Called when the connection ends without `close`. Commits may have been missed. */
  onLost(reason: string): void
}

type Rows = StatementResult['rows']

const FACTS = sql`select to_regclass('platform.row_changes') is not null, current_setting('track_commit_timestamp') = 'on'`

// Dead rows slow every later round. Their space is freed after this many bytes of rows, or rounds, because rows of transactions
// that were rolled back are not counted.
const FREE_AFTER_BYTES = 256 << 10
const FREE_AFTER_ROUNDS = 256
const OUTBOX = sql`platform.row_changes`
const ANNOUNCEMENTS = sql`platform.announcements`

export class OutboxReader implements WatchingReader {
  /** The number of rows that were captured before the reader was open. The reader drops these rows. */
  staleRows = 0
  readonly #connection: ServerConnection
  readonly #events: OutboxReaderEvents
  #hasCommitTimes = false
  #hasOutbox = false
  #isClosing = false
  /** The current round. */
  #running: Promise<void> | undefined
  /** The round after the current one; `undefined` when none was requested. */
  #next: Promise<void> | undefined
  /** Settles when all commits found so far are delivered. */
  #delivered: Promise<void> = Promise.resolve()
  #takenBytes = 0
  /** The number of rounds since the space of dead rows was freed. */
  #rounds = 0

  private constructor(connection: ServerConnection, events: OutboxReaderEvents) {
    this.#connection = connection
    this.#events = events
    void connection.closed.then(() => {
      if (!this.#isClosing) events.onLost(connection.lost?.message ?? '')
    })
  }

  /**
   * Opens a reader on a connection of the platform's account to the project's database. @throws {SqlError} when the connection
   * ends
   */
  static async open(
    connection: ServerConnection,
    events: OutboxReaderEvents,
  ): Promise<OutboxReader> {
    const reader = new OutboxReader(connection, events)
    try {
      await reader.#begin()
      return reader
    } catch (error) {
      reader.#isClosing = true
      await connection.close()
      throw error
    }
  }

  /** The id of the server process that serves the connection. */
  get processId(): number {
    return this.#connection.processId
  }

  get isReading(): boolean {
    return this.#running !== undefined
  }

  /** Collects captured rows from now on. Called when the outbox was created. */
  collectRows(): void {
    this.#hasOutbox = true
  }

  /** Resolves when all commits that ended before this call are delivered. */
  async settle(): Promise<void> {
    await this.#roundAfterNow()
    await this.#delivered
  }

  /** Delivers a commit that no round can find. Earlier commits are delivered first. */
  deliver(commit: OrderedCommit): void {
    this.#delivered = this.#delivered
      .then(() => this.#events.onCommit(commit))
      .catch((error: unknown) => this.#events.onMissed(messageOf(error)))
  }

  /** Runs a statement without parameters between rounds. @throws {SqlError} */
  async query(statement: Sql): Promise<Rows> {
    const { rows } = await this.#run(statement)
    return rows
  }

  /** Reads what was committed, and ends the connection. Listeners may still be called afterwards. */
  async close(): Promise<void> {
    await this.#roundAfterNow()
    this.#isClosing = true
    await this.#connection.close()
  }

  /** Schedules a read of the committed changes. */
  wake(): void {
    void this.#roundAfterNow()
  }

  async #begin(): Promise<void> {
    const [facts] = await this.query(FACTS)
    this.#hasOutbox = cellText(facts?.[0]) === 't'
    this.#hasCommitTimes = cellText(facts?.[1]) === 't'
    // Drops the rows that were captured earlier. Their subscribers have left, or get an error because of `staleRows`.
    for (const { rows } of await this.#take()) this.staleRows += rows?.length ?? 0
  }

  #roundAfterNow(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#round()
      return this.#running
    }
    this.#next ??= this.#running.then(() => this.#running)
    return this.#next
  }

  async #round(): Promise<void> {
    try {
      for (const commit of await this.#take()) this.deliver(commit)
      this.#rounds += 1
      if (this.#takenBytes > FREE_AFTER_BYTES || this.#rounds > FREE_AFTER_ROUNDS)
        await this.#free()
    } catch (error) {
      if (this.#connection.isOpen) this.#events.onMissed(messageOf(error))
    }
    const isNeeded = this.#next !== undefined
    this.#next = undefined
    this.#running = isNeeded && this.#connection.isOpen ? this.#round() : undefined
  }

  async #take(): Promise<readonly OrderedCommit[]> {
    const { rows, bytes } = await this.#run(takeCommits(this.#hasOutbox, this.#hasCommitTimes))
    if (rows.length > 0) this.#takenBytes += bytes
    return commitsOf(rows)
  }

  async #free(): Promise<void> {
    this.#takenBytes = 0
    this.#rounds = 0
    for (const table of this.#hasOutbox ? [OUTBOX, ANNOUNCEMENTS] : [ANNOUNCEMENTS])
      await this.query(truncate(table)).catch(() => this.query(vacuum(table)))
  }

  async #run({ text }: Sql): Promise<{ readonly rows: Rows; readonly bytes: number }> {
    const { prepared } = this.#connection
    const messages = new FrontendMessages()
    messages.bind(prepared.keptName(messages, text), []).execute().sync()
    const bytes = await this.#connection.exchange(messages.bytes())
    const { results, error } = parseBackendMessages(bytes)
    if (error !== undefined) throw error
    return { rows: results[0]?.rows ?? [], bytes: bytes.length }
  }
}

// Uses TRUNCATE, which takes less time than VACUUM and shrinks the file. TRUNCATE runs only while no transaction writes to the
// table.
function truncate(table: Sql): Sql {
  return sql`do $$ begin
  lock table ${table} in access exclusive mode nowait;
  if not exists (select from ${table}) then truncate ${table}; end if;
end $$`
}

function vacuum(table: Sql): Sql {
  return sql`vacuum (truncate false) ${table}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
