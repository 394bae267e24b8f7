// The mailbox over /_emulator/v1: list, read, show, clear and wait for the next message (contract/mailbox.ts).
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeQuery, findProject } from '../api-kit/decode.ts'
import { InspectorError } from '../api-kit/errors.ts'
import type { MailboxCleared, MailboxMessage, MailboxPage } from '../contract/mailbox.ts'
import { toIso } from '../core/time.ts'
import type { Mailbox } from '../messages/mailbox.ts'
import type { MailboxFilter, StoredMessage } from '../messages/message-rows.ts'
import type { ProjectRegistry } from '../projects/registry.ts'

interface MailboxDeps {
  readonly mailbox: Mailbox
  readonly projects: ProjectRegistry
}

const LIMIT = { default: 50, max: 1_000 }
/** Milliseconds. */
const TIMEOUT = { default: 10_000, max: 60_000 }

export function mountMailbox(app: Hono<Bindings>, deps: MailboxDeps): void {
  const { mailbox } = deps
  app.get('/mailbox', (c) => {
    const { limit, before, ...filter } = decodeQuery(c, mailboxQuery)
    const messages = mailbox.list(filterOf(deps, filter), limit, before)
    return c.json({ messages: messages.map(messageOnWire) } satisfies MailboxPage)
  })
  app.delete('/mailbox', (c) => {
    const { project } = decodeQuery(c, clearMailboxQuery)
    const schemaName = project === undefined ? undefined : findProject(deps.projects, project)
    return c.json({ deleted: mailbox.clear(schemaName?.schemaName) } satisfies MailboxCleared)
  })
  app.get('/mailbox/next', async (c) => {
    const { timeout_ms: timeoutMillis, after, ...query } = decodeQuery(c, nextMessageQuery)
    const filter = filterOf(deps, query)
    const wait = { timeoutMillis, signal: c.req.raw.signal }
    const found =
      after === undefined
        ? await mailbox.nextUnread(filter, wait)
        : await mailbox.nextAfter(filter, after, wait)
    return found === undefined ? c.body(null, 204) : c.json(messageOnWire(found))
  })
  app.get('/mailbox/:id', (c) => c.json(messageOnWire(read(mailbox, c.req.param('id')))))
  app.get('/mailbox/:id/html', (c) => page(c, read(mailbox, c.req.param('id'))))
}

/** Query of DELETE /mailbox. */
export const clearMailboxQuery = z.strictObject({ project: z.string().optional() })

const filterShape = {
  project: z.string().optional(),
  /** A plus sign that was not escaped arrives as a space. */
  to: z
    .string()
    .transform((text) => text.replace(/^ (?=\d)/, '+'))
    .optional(),
  channel: z.enum(['email', 'whatsapp', 'sms']).optional(),
  purpose: z.enum(['confirmation', 'one_time_code', 'magic_link', 'password_reset']).optional(),
  with: z.enum(['code', 'link']).optional(),
}

const messageNumber = z.coerce.number().int().min(0)

/** Query of GET /mailbox. */
export const mailboxQuery = z.strictObject({
  ...filterShape,
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
  before: messageNumber.optional(),
})

/** Query of GET /mailbox/next. */
export const nextMessageQuery = z.strictObject({
  ...filterShape,
  after: messageNumber.optional(),
  timeout_ms: z.coerce.number().int().min(0).max(TIMEOUT.max).default(TIMEOUT.default),
})

function filterOf(
  { projects }: MailboxDeps,
  { project, to, channel, purpose, with: carries }: z.output<z.ZodObject<typeof filterShape>>,
): MailboxFilter {
  return {
    ...(project === undefined ? {} : { schemaName: findProject(projects, project).schemaName }),
    ...(to === undefined ? {} : { recipient: to }),
    ...(channel === undefined ? {} : { channel }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(carries === undefined ? {} : { carries }),
  }
}

function read(mailbox: Mailbox, reference: string): StoredMessage {
  const message = /^\d{1,15}$/.test(reference) ? mailbox.read(Number(reference)) : undefined
  if (message === undefined)
    throw new InspectorError('not_found', `There is no message ${reference} in the mailbox.`, {
      hint: 'The newest thousand are kept; GET /_emulator/v1/mailbox lists them.',
    })
  return message
}

// Nothing in a message may run, load or reach our own API; its links open in a window of their own.
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

function page(c: Context<Bindings>, { id, channel, html }: StoredMessage): Response {
  if (html === undefined)
    throw new InspectorError('not_found', `Message ${id} has no HTML: it went by ${channel}.`)
  return c.html(html, 200, PAGE_HEADERS)
}

/** A message as the wire tells it. */
export function messageOnWire(message: StoredMessage): MailboxMessage {
  return {
    id: message.id,
    schema_name: message.schemaName,
    channel: message.channel,
    to: message.recipient,
    purpose: message.purpose,
    subject: message.subject ?? null,
    text: message.text,
    html: message.html ?? null,
    code: message.code ?? null,
    link: message.link ?? null,
    sent_at: toIso(message.sentAt),
    is_read: message.isRead,
  }
}
