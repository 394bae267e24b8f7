// The mailbox stores the messages that the platform would have sent, and drops the oldest when it is full (docs/wire/auth.md).
// Requests can wait for the next message.
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Observer } from '../../core/observation.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import { composeMessage } from './compose.ts'
import type { Outbox } from './message.ts'
import { createMessageRows, type MailboxFilter, type StoredMessage } from './message-rows.ts'
import { createWaitingRoom, type WaitOptions } from './waiting-room.ts'

export interface Mailbox extends Outbox {
  /** Lists messages, newest first. If `before` is given, lists only messages with a lower id. */
  list(filter: MailboxFilter, limit: number, before?: number): readonly StoredMessage[]
  count(filter: MailboxFilter): number
  /** Whether the mailbox holds its maximum number of messages. A full mailbox may have dropped older messages. */
  isFull(): boolean
  /** Returns one message and marks it as read. */
  read(id: number): StoredMessage | undefined
  /**
   * Returns the newest unread message that matches, or waits for one. Marks this message and the older matching messages as
   * read. Requests that wait at the same time get the same message. Returns `undefined` when no message came in time.
   * @throws {WaitingError}
   */
  nextUnread(filter: MailboxFilter, wait: WaitOptions): Promise<StoredMessage | undefined>
  /**
   * Returns the oldest matching message with an id above `after`, or waits for one. Marks no message as read.
   * @throws {WaitingError}
   */
  nextAfter(
    filter: MailboxFilter,
    after: number,
    wait: WaitOptions,
  ): Promise<StoredMessage | undefined>
  /** Removes all messages, or those of one project, and returns their number. */
  clear(schemaName?: SchemaName): number
  /** Ends all waiting. */
  close(): void
}

export interface MailboxDeps {
  readonly clock: Clock
  readonly wallClock: Clock
  readonly observe: Observer
  /** Maximum number of stored messages. */
  readonly capacity?: number
}

const DEFAULT_CAPACITY = 1_000
const MAX_WAITING = 100

export function createMailbox(
  db: SystemDb,
  { clock, wallClock, observe, capacity = DEFAULT_CAPACITY }: MailboxDeps,
): Mailbox {
  const rows = createMessageRows(db)
  const room = createWaitingRoom(wallClock, MAX_WAITING)
  return {
    send: (message) => {
      const messageId = db.transaction(() => {
        const id = rows.add(message, composeMessage(message), clock.now())
        rows.keepNewest(capacity)
        return id
      })
      observe({ kind: 'messageSent', messageId, ...message })
      room.announce()
    },
    discard: (message) => {
      db.transaction(() => rows.remove(rows.add(message, composeMessage(message), clock.now())))
    },
    list: (filter, limit, before) => rows.list(filter, limit, before),
    count: (filter) => rows.count(filter),
    isFull: () => rows.count({}) >= capacity,
    read: (id) => {
      rows.markRead(id)
      return rows.find(id)
    },
    nextUnread: async (filter, wait) => {
      const last = rows.lastId()
      const found =
        rows.newestUnread(filter) ?? (await room.wait(() => rows.oldestAfter(filter, last), wait))
      if (found === undefined) return undefined
      rows.markReadUpTo(filter, found.id)
      return { ...found, isRead: true }
    },
    nextAfter: (filter, after, wait) => room.wait(() => rows.oldestAfter(filter, after), wait),
    clear: (schemaName) => rows.clear(schemaName),
    close: () => room.close(),
  }
}
