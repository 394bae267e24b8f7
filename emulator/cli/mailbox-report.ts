// Formats mailbox messages as text for the CLI. Pure.
import type { MailboxMessage } from '../contract/mailbox.ts'
import { printable } from '../core/printable.ts'

/** Puts the newest message last, next to the prompt. */
export function mailboxLines(messages: readonly MailboxMessage[]): string {
  if (messages.length === 0) return 'The mailbox has no such messages.'
  return messages.toReversed().map(headLines).join('\n\n')
}

/** Formats one message with its full text. */
export function messageLines(message: MailboxMessage): string {
  return `${headLines(message)}\n\n${indented(message.text)}`
}

function headLines(message: MailboxMessage): string {
  const { id, sent_at: sentAt, channel, to, schema_name: schemaName, subject, code, link } = message
  return [
    `${message.is_read ? ' ' : '*'} ${id}  ${sentAt}  ${channel} to ${printable(to)}  ${schemaName}`,
    `    ${subject ?? message.purpose}`,
    ...(code === null ? [] : [`    code  ${printable(code)}`]),
    ...(link === null ? [] : [`    link  ${printable(link)}`]),
  ].join('\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${printable(line)}`))
    .join('\n')
}
