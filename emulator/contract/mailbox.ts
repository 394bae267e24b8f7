// /_emulator/v1/mailbox: every e-mail, WhatsApp message and SMS the platform would have sent.
//   GET    /mailbox?project=&to=&channel=&purpose=&limit=&before=   newest first; `before` is a message's id
//   GET    /mailbox/:id        one message, which is read from then on
//   GET    /mailbox/:id/html   the e-mail as a page of its own
//   GET    /mailbox/next?to=&project=&channel=&purpose=&after=&timeout_ms=
//          Without `after`: the newest unread message that matches, or the next to come; it and the older ones are read from
//          then on. With `after`: the oldest with a higher id, or the next to come; nothing is marked.
//          204 when none came within `timeout_ms` (10,000 unless told, at most 60,000).
//   DELETE /mailbox?project=   removes all messages, or those of one project

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
