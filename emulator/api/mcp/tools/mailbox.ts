// mailbox: the e-mails, WhatsApp messages and SMS that the platform would have sent.
import { z } from 'zod'
import type { MailboxMessage } from '../../../contract/mailbox.ts'
import { Before, Limit, Tenant } from '../inputs.ts'
import { defineTool, type Tool } from '../tool.ts'

export const mailbox: Tool = defineTool({
  name: 'mailbox',
  title: 'Read the mailbox',
  description:
    'Lists the messages that the platform would have sent, newest first, with their codes and links. With "id", returns the whole text of one. Reading does not mark messages as read.',
  input: z.strictObject({
    id: z.number().int().min(0).optional(),
    tenant: Tenant.optional(),
    to: z.string().optional().describe('E-mail address or telephone number'),
    cursor: Before,
    limit: Limit,
  }),
  changes: 'never',
  run: async ({ calls }, { cursor, id, limit, tenant, to }) => {
    if (id !== undefined) {
      const message = await calls.call('GET /mailbox/:id', { params: { id } })
      return { entries: [`${messageLine(message)}\n${message.text}`] }
    }
    const { messages } = await calls.call('GET /mailbox', {
      query: { limit: limit + 1, before: cursor, project: tenant, to },
    })
    return {
      entries:
        messages.length === 0 ? ['No message matches.'] : messages.slice(0, limit).map(messageLine),
      hasMore: messages.length > limit,
      readOn: (shown) => `Continue with "cursor": ${messages[shown - 1]?.id ?? 0}.`,
    }
  },
})

function messageLine(message: MailboxMessage): string {
  const { channel, code, id, link, purpose, schema_name, sent_at, subject, to } = message
  return [
    `${id}: ${channel} to ${to} from ${schema_name} at ${sent_at}, ${purpose}`,
    subject === null ? '' : JSON.stringify(subject),
    code === null ? '' : `code ${code}`,
    link === null ? '' : `link ${link}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}
