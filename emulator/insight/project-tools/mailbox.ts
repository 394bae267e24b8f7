// Routes for the mailbox below /_emulator/v1 (contract/mailbox.ts).
import type { Context, Hono } from 'hono'
import {
  MAILBOX_OPERATIONS,
  type MailboxFilterQuery,
  type MailboxMessage,
} from '../../contract/mailbox.ts'
import { plusMillis, toIso } from '../../core/time.ts'
import type { Mailbox } from '../../platform/messages/mailbox.ts'
import { MESSAGE_MILLIS } from '../../platform/messages/message.ts'
import type { MailboxFilter, StoredMessage } from '../../platform/messages/message-rows.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { findProject } from '../api-kit/find-project.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'

interface MailboxDeps {
  readonly mailbox: Mailbox
  readonly projects: ProjectRegistry
}

export function mountMailbox(app: Hono<Bindings>, deps: MailboxDeps): void {
  const { mailbox, projects } = deps
  mount(app, MAILBOX_OPERATIONS, {
    'GET /mailbox': ({ query: { limit, before, ...filter } }) => ({
      messages: mailbox.list(filterOf(deps, filter), limit, before).map(messageOnWire),
    }),
    'DELETE /mailbox': ({ query: { project } }) => ({
      deleted: mailbox.clear(
        project === undefined ? undefined : findProject(projects, project).schemaName,
      ),
    }),
    'GET /mailbox/next': async ({ c, query }) => {
      const { timeout_ms: timeoutMillis, after, ...conditions } = query
      const filter = filterOf(deps, conditions)
      const wait = { timeoutMillis, signal: c.req.raw.signal }
      const found =
        after === undefined
          ? await mailbox.nextUnread(filter, wait)
          : await mailbox.nextAfter(filter, after, wait)
      return found && messageOnWire(found)
    },
    'GET /mailbox/:id': ({ params }) => messageOnWire(read(mailbox, params.id)),
    'GET /mailbox/:id/html': ({ c, params }) => page(c, read(mailbox, params.id)),
  })
}

function filterOf(
  { projects }: MailboxDeps,
  { project, to, channel, purpose, with: carries }: MailboxFilterQuery,
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
      hint: 'GET /_emulator/v1/mailbox lists the messages. The mailbox keeps the newest 1,000.',
    })
  return message
}

// These headers prevent a message from running scripts, loading resources or calling the emulator's API. Links open in a new
// window.
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

function page(c: Context<Bindings>, { id, channel, html }: StoredMessage): Response {
  if (html === undefined)
    throw new InspectorError(
      'not_found',
      `Message ${id} has no HTML, because it was sent by ${channel}.`,
    )
  return c.html(html, 200, PAGE_HEADERS)
}

/** Converts a message to its wire format. */
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
    expires_at: toIso(plusMillis(message.sentAt, MESSAGE_MILLIS[message.purpose])),
    is_read: message.isRead,
  }
}
