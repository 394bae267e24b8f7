// Listens to the commits of one project and delivers them in their order. Reads the outbox in rounds, one after the other; each
// round takes all rows that are visible.
import type { Duplex } from 'node:stream'
import { cellText, type StatementResult } from '../../engine.ts'
import { firstError, parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import {
  type Announcement,
  CommitOrder,
  type OrderedCommit,
  type OutboxRow,
} from './commit-order.ts'
import { ListeningSocket } from './listening-socket.ts'

export interface ProjectListenerEvents {
  /** Called for each commit, after the promise of the one before. */
  onCommit(commit: OrderedCommit): Promise<void>
  /** Called when a commit could not be read or delivered. */
  onMissed(reason: string): void
  /** Called when the connection ends without `close`. Commits may have been missed. */
  onLost(reason: string): void
}

const LISTEN = 'listen tenantry_commits'
const HAS_OUTBOX = "select to_regclass('platform.row_changes') is not null"
const LOOK = 'select'
const TAKE =
  'delete from platform.row_changes returning transaction, id, relation, kind, depth, row'
type Rows = StatementResult['rows']

// Dead rows slow every later round. Their space is freed after this many bytes of rows, or rounds, because rows of transactions
// that were rolled back are not counted.
const FREE_AFTER_BYTES = 256 << 10
const FREE_AFTER_ROUNDS = 256
// TRUNCATE takes less time than VACUUM and shrinks the file. It runs only while no transaction writes to the outbox.
const TRUNCATE = `do $$ begin
  lock table platform.row_changes in access exclusive mode nowait;
  if not exists (select from platform.row_changes) then truncate platform.row_changes; end if;
end $$`
const VACUUM = 'vacuum (truncate false) platform.row_changes'

export class ProjectListener {
  /** The number of rows that were captured before the listener was open. They are dropped. */
  staleRows = 0
  readonly #socket: ListeningSocket
  readonly #events: ProjectListenerEvents
  readonly #order = new CommitOrder()
  #hasOutbox = false
  #hasEnded = false
  #isClosing = false
  /** The round that runs now. */
  #running: Promise<void> | undefined
  /** The round after it, when one was requested. */
  #next: Promise<void> | undefined
  /** Settles when everything found so far is delivered. */
  #delivered: Promise<void> = Promise.resolve()
  #takenBytes = 0
  /** Rounds since the space was freed. */
  #rounds = 0

  private constructor(stream: Duplex, events: ProjectListenerEvents) {
    this.#events = events
    this.#socket = new ListeningSocket(stream, {
      onNotification: (payload) => this.#onNotification(payload),
      onEnd: (reason) => {
        this.#hasEnded = true
        if (!this.#isClosing) events.onLost(reason)
      },
    })
  }

  /** Listens on a connection of the platform's account to the project's database. @throws {Error} when it ends */
  static async open(stream: Duplex, events: ProjectListenerEvents): Promise<ProjectListener> {
    const listener = new ProjectListener(stream, events)
    const [, [found] = []] = await Promise.all([
      listener.#query(LISTEN),
      listener.#query(HAS_OUTBOX),
    ])
    // No notification gives the place of what was committed before.
    if (cellText(found?.[0]) === 't') {
      listener.staleRows = (await listener.#query(TAKE)).length
      listener.#hasOutbox = true
    }
    return listener
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

  /** Delivers a commit that no notification announced, after all commits that were found before. */
  deliver(commit: OrderedCommit): void {
    this.#delivered = this.#delivered
      .then(() => this.#events.onCommit(commit))
      .catch((error: unknown) => this.#events.onMissed(messageOf(error)))
  }

  /** Reads what was committed, and ends the connection. Listeners may still be called afterwards. */
  async close(): Promise<void> {
    await this.#roundAfterNow()
    this.#isClosing = true
    await this.#socket.close()
  }

  #onNotification(payload: string): void {
    const announcement = parseAnnouncement(payload)
    if (announcement === undefined) return
    this.#order.announced(announcement)
    this.#running ??= this.#round()
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
      const rows = await this.#query(this.#hasOutbox ? TAKE : LOOK, () => this.#order.begin())
      for (const commit of this.#order.end(rows.map(outboxRow))) this.deliver(commit)
      this.#rounds += 1
      if (this.#takenBytes > FREE_AFTER_BYTES || this.#rounds > FREE_AFTER_ROUNDS)
        await this.#free()
    } catch (error) {
      if (!this.#hasEnded) this.#events.onMissed(messageOf(error))
    }
    const isNeeded = this.#next !== undefined || this.#order.isWaiting
    this.#next = undefined
    this.#running = isNeeded && !this.#hasEnded ? this.#round() : undefined
  }

  async #query(text: string, onBegin?: () => void): Promise<Rows> {
    const bytes = await this.#socket.run(text, onBegin)
    const { results, error } = parseBackendMessages(bytes)
    if (error !== undefined) throw error
    const rows = results[0]?.rows ?? []
    if (text === TAKE && rows.length > 0) this.#takenBytes += bytes.length
    return rows
  }

  async #free(): Promise<void> {
    this.#takenBytes = 0
    this.#rounds = 0
    if (!this.#hasOutbox) return
    if (firstError(await this.#socket.run(TRUNCATE)) !== undefined) await this.#socket.run(VACUUM)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function outboxRow([transaction, ...cells]: Rows[number]): OutboxRow {
  return [cellText(transaction) ?? '', ...cells]
}

// Tenants can send notifications, too. What they announce has no rows.
function parseAnnouncement(payload: string): Announcement | undefined {
  const [kind, transaction, requestId] = payload.split(' ')
  if (transaction === undefined || (kind !== 'rows' && kind !== 'schema')) return undefined
  return { kind, transaction, requestId: requestId === '' ? undefined : requestId }
}
