// Filters messages, and builds the requests with which a test waits for the next matching message. Pure.
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import type { MailboxSearch } from './mailbox-search.ts'

/** Returns the messages that match the filters, in their original order. */
export function filterMessages(
  messages: readonly MailboxMessage[],
  { q, tenant, channel }: MailboxSearch,
): readonly MailboxMessage[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return messages.filter((message) => {
    if (channel !== undefined && message.channel !== channel) return false
    if (tenant !== undefined && message.schema_name !== `proj_${tenant}`) return false
    const text =
      `${message.to} ${message.subject ?? ''} ${message.text} ${message.code ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export interface WaitingCalls {
  readonly curl: string
  readonly script: string
}

/** Builds the requests with which a test waits for the next matching message. `to` is a complete address. */
export function waitingCalls(
  origin: string,
  filter: { readonly to?: string; readonly tenant?: string; readonly channel?: string },
): WaitingCalls {
  const query = new URLSearchParams()
  if (filter.tenant !== undefined) query.set('project', filter.tenant)
  if (filter.to !== undefined) query.set('to', filter.to)
  if (filter.channel !== undefined) query.set('channel', filter.channel)
  const url = `${origin}/_emulator/v1/mailbox/next${query.size === 0 ? '' : `?${query}`}`
  return {
    curl: `curl ${shellQuoted(url)}`,
    script: [
      `const answer = await fetch(${JSON.stringify(url)})`,
      'if (answer.status === 204) throw new Error("no message in 10 s")',
      'const { code, link, text } = await answer.json()',
    ].join('\n'),
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
