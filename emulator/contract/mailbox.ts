// The mailbox: every e-mail, WhatsApp message and SMS that the platform would have sent.
import { z } from 'zod'
import { MESSAGE_CHANNELS, MESSAGE_PURPOSES } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'
import { QueryNumber } from './values.ts'

export const MailboxMessage = z.object({
  id: z.number().describe('Increases with every message'),
  schema_name: z.string(),
  channel: z.enum(MESSAGE_CHANNELS),
  to: z.string().describe('E-mail address or telephone number, as the caller wrote it'),
  purpose: z.enum(MESSAGE_PURPOSES),
  subject: z
    .string()
    .nullable()
    .describe('Subject of an e-mail; `null` on other channels, as `html`'),
  text: z.string(),
  html: z.string().nullable(),
  code: z.string().nullable().describe('The code that a person would copy'),
  link: z.string().nullable().describe('The link that a person would click'),
  sent_at: z.string().describe('ISO 8601 UTC, platform time'),
  expires_at: z.string().describe('When code and link stop working; ISO 8601 UTC, platform time'),
  is_read: z.boolean(),
})
/** An e-mail, a WhatsApp message or an SMS that the platform would have sent. */
export type MailboxMessage = Shape<typeof MailboxMessage>

export const MailboxPage = z.object({ messages: z.array(MailboxMessage) })
export type MailboxPage = Shape<typeof MailboxPage>

export const MailboxCleared = z.object({ deleted: z.number() })
export type MailboxCleared = Shape<typeof MailboxCleared>

const MailboxFilter = z.strictObject({
  project: z.exactOptional(z.string()).describe('Schema name, slug or id'),
  // An unescaped plus sign in a query is decoded as a space.
  to: z.exactOptional(z.string().transform((text) => text.replace(/^ (?=\d)/, '+'))),
  channel: z.exactOptional(z.enum(MESSAGE_CHANNELS)),
  purpose: z.exactOptional(z.enum(MESSAGE_PURPOSES)),
  with: z
    .exactOptional(z.enum(['code', 'link']))
    .describe('Returns only messages that contain a code or a link'),
})
/** The decoded filter of a mailbox query. */
export type MailboxFilterQuery = z.output<typeof MailboxFilter>

export const MAILBOX_OPERATIONS = {
  'GET /mailbox': {
    summary: 'Lists the messages, newest first.',
    query: z.strictObject({
      ...MailboxFilter.shape,
      limit: QueryNumber.min(1).max(1_000).default(50),
      before: z.exactOptional(QueryNumber).describe('Id of a message'),
    }),
    answer: MailboxPage,
  },
  'DELETE /mailbox': {
    summary: 'Removes messages.',
    query: z.strictObject({ project: z.exactOptional(z.string()) }),
    answer: MailboxCleared,
  },
  // Without `after`, returns the newest unread message that matches, or waits for the next one. Marks the returned message and
  // all older messages as read. With `after`, returns the oldest message with a higher id, or waits for the next one. With
  // `after`, no message is marked as read.
  'GET /mailbox/next': {
    summary: 'Waits for a message; returns 204 when none arrives in time.',
    query: z.strictObject({
      ...MailboxFilter.shape,
      after: z.exactOptional(QueryNumber).describe('Id of a message'),
      timeout_ms: QueryNumber.max(60_000).default(10_000),
    }),
    answer: MailboxMessage,
    mayBeEmpty: true,
  },
  'GET /mailbox/:id': { summary: 'Reads a message.', answer: MailboxMessage },
  'GET /mailbox/:id/html': { summary: 'Shows a message as an HTML page.', answer: ['text/html'] },
} as const satisfies OperationTable
