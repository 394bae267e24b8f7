// Stores messages in the platform's database. Ids rise and are never reused, so that `after` still works when the mailbox was
// emptied.
import type { SchemaName } from '../../core/names.ts'
import { trusted } from '../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../core/time.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { MigrationSet } from '../../database/system-db/system-schema.ts'
import type { MessageContent } from './compose.ts'
import type { MessageChannel, MessagePurpose, OutgoingMessage } from './message.ts'

export const MESSAGE_MIGRATIONS: MigrationSet = {
  layer: 'messages',
  steps: [
    `
    create table messages (
      id integer primary key autoincrement,
      schema_name text not null,
      channel text not null,
      recipient text not null,
      recipient_key text not null,
      purpose text not null,
      subject text,
      text text not null,
      html text,
      code text,
      link text,
      sent_at integer not null,
      is_read integer not null default 0
    ) strict;
    create index messages_by_recipient on messages (recipient_key, id);
    create index messages_by_schema on messages (schema_name, id);
    `,
  ],
}

/** A message in the mailbox. */
export interface StoredMessage extends OutgoingMessage, MessageContent {
  /** Id of the message. Every message has a higher id than the message before. */
  readonly id: number
  readonly sentAt: EpochMillis
  readonly isRead: boolean
}

/** Selects messages. An absent member matches every message. */
export interface MailboxFilter {
  readonly schemaName?: SchemaName
  /** Compared ignoring case. */
  readonly recipient?: string
  readonly channel?: MessageChannel
  readonly purpose?: MessagePurpose
  /** Selects only messages that contain a code, or only messages that contain a link. */
  readonly carries?: MessageCargo
}

/** What a message contains for its recipient. */
export type MessageCargo = 'code' | 'link'

export interface MessageRows {
  add(message: OutgoingMessage, content: MessageContent, sentAt: EpochMillis): number
  remove(id: number): void
  keepNewest(count: number): void
  find(id: number): StoredMessage | undefined
  list(filter: MailboxFilter, limit: number, before?: number): readonly StoredMessage[]
  count(filter: MailboxFilter): number
  newestUnread(filter: MailboxFilter): StoredMessage | undefined
  oldestAfter(filter: MailboxFilter, after: number): StoredMessage | undefined
  /** The id of the last message; 0 when there is no message. */
  lastId(): number
  markRead(id: number): void
  markReadUpTo(filter: MailboxFilter, id: number): void
  clear(schemaName?: SchemaName): number
}

export function createMessageRows(db: SystemDb): MessageRows {
  const queries = prepareQueries(db)
  const found = (row: MessageRow | undefined) => (row === undefined ? undefined : messageOf(row))
  return {
    add: (message, { subject, text, html }, sentAt) => {
      queries.insert.run(
        message.schemaName,
        message.channel,
        message.recipient,
        keyOf(message.recipient),
        message.purpose,
        subject ?? null,
        text,
        html ?? null,
        message.code ?? null,
        message.link ?? null,
        sentAt,
      )
      return queries.last.get()?.id ?? 0
    },
    remove: (id) => {
      queries.remove.run(id)
    },
    keepNewest: (count) => {
      queries.trim.run(count)
    },
    find: (id) => found(queries.byId.get(id)),
    list: (filter, limit, before) =>
      queries.list.all(...paramsOf(filter), before ?? null, limit).map(messageOf),
    count: (filter) => queries.count.get(...paramsOf(filter))?.count ?? 0,
    newestUnread: (filter) => found(queries.newestUnread.get(...paramsOf(filter))),
    oldestAfter: (filter, after) => found(queries.oldestAfter.get(...paramsOf(filter), after)),
    lastId: () => queries.last.get()?.id ?? 0,
    markRead: (id) => {
      queries.markRead.run(id)
    },
    markReadUpTo: (filter, id) => {
      queries.markReadUpTo.run(...paramsOf(filter), id)
    },
    clear: (schemaName) => queries.clear.run(schemaName ?? null),
  }
}

interface MessageRow {
  readonly id: number
  readonly schema_name: string
  readonly channel: MessageChannel
  readonly recipient: string
  readonly purpose: MessagePurpose
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  readonly code: string | null
  readonly link: string | null
  readonly sent_at: number
  readonly is_read: number
}

type FilterParams = [string | null, string | null, string | null, string | null, string | null]

/** Each parameter may be null. A null parameter matches every message. */
const MATCHES = `schema_name = coalesce(?, schema_name) and recipient_key = coalesce(?, recipient_key)
  and channel = coalesce(?, channel) and purpose = coalesce(?, purpose)
  and case ? when 'code' then code when 'link' then link else '' end is not null`

function paramsOf(filter: MailboxFilter): FilterParams {
  return [
    filter.schemaName ?? null,
    filter.recipient === undefined ? null : keyOf(filter.recipient),
    filter.channel ?? null,
    filter.purpose ?? null,
    filter.carries ?? null,
  ]
}

function prepareQueries(db: SystemDb) {
  return {
    insert: db.prepare<
      [
        string,
        string,
        string,
        string,
        string,
        string | null,
        string,
        string | null,
        string | null,
        string | null,
        number,
      ]
    >(
      `insert into messages
         (schema_name, channel, recipient, recipient_key, purpose, subject, text, html, code, link, sent_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    remove: db.prepare<[number]>('delete from messages where id = ?'),
    trim: db.prepare<[number]>(
      'delete from messages where id <= (select id from messages order by id desc limit 1 offset ?)',
    ),
    byId: db.prepare<[number], MessageRow>('select * from messages where id = ?'),
    list: db.prepare<[...FilterParams, number | null, number], MessageRow>(
      `select * from messages where ${MATCHES} and id < coalesce(?, id + 1) order by id desc limit ?`,
    ),
    count: db.prepare<FilterParams, { count: number }>(
      `select count(*) as count from messages where ${MATCHES}`,
    ),
    newestUnread: db.prepare<FilterParams, MessageRow>(
      `select * from messages where ${MATCHES} and is_read = 0 order by id desc limit 1`,
    ),
    oldestAfter: db.prepare<[...FilterParams, number], MessageRow>(
      `select * from messages where ${MATCHES} and id > ? order by id limit 1`,
    ),
    last: db.prepare<[], { id: number | null }>('select max(id) as id from messages'),
    markRead: db.prepare<[number]>('update messages set is_read = 1 where id = ? and is_read = 0'),
    markReadUpTo: db.prepare<[...FilterParams, number]>(
      `update messages set is_read = 1 where ${MATCHES} and id <= ? and is_read = 0`,
    ),
    clear: db.prepare<[string | null]>(
      'delete from messages where schema_name = coalesce(?, schema_name)',
    ),
  }
}

function messageOf(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    schemaName: trusted.schemaName(row.schema_name),
    channel: row.channel,
    recipient: row.recipient,
    purpose: row.purpose,
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.link === null ? {} : { link: row.link }),
    subject: row.subject ?? undefined,
    text: row.text,
    html: row.html ?? undefined,
    sentAt: epochMillis(row.sent_at),
    isRead: row.is_read === 1,
  }
}

// E-mail addresses are compared ignoring case (docs/wire/auth.md). Phone numbers have no case.
function keyOf(recipient: string): string {
  return recipient.trim().normalize('NFC').toLowerCase()
}
