// /_emulator/v1/mailbox: every e-mail, WhatsApp message and SMS the platform would have sent.
//   GET    /mailbox            newest first; also `limit` (50 unless told, at most 1,000) and `before`, a message's id
//   GET    /mailbox/:id        one message, which is read from then on
//   GET    /mailbox/:id/html   the e-mail as a page of its own
//   GET    /mailbox/next       waits; also `after` and `timeout_ms` (10,000 unless told, at most 60,000)
//          Without `after`: the newest unread message that matches, or the next to come; it and the older ones are read from
//          then on. With `after`, a message's id: the oldest with a higher one, or the next to come; nothing is marked.
//          204 when none came in time.
//   DELETE /mailbox?project=   removes all messages, or those of one project
// Filters of list and next: `project` (schema name, slug or id), `to`, `channel`, `purpose`, `with` (`code` or `link`: only
// messages that have one).

export interface MailboxMessage {
  /** Rises with every message. */
  readonly id: number
  readonly schema_name: string
  readonly channel: 'email' | 'whatsapp' | 'sms'
  /** E-mail address or telephone number, as the caller wrote it. */
  readonly to: string
  readonly purpose: 'confirmation' | 'one_time_code' | 'magic_link' | 'password_reset'
  /** E-mail only, as `html`. */
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  /** What a person would copy out of the message. */
  readonly code: string | null
  /** What a person would click. */
  readonly link: string | null
  /** ISO 8601 UTC, platform time. */
  readonly sent_at: string
  readonly is_read: boolean
}

export interface MailboxPage {
  readonly messages: readonly MailboxMessage[]
}

export interface MailboxCleared {
  readonly deleted: number
}
