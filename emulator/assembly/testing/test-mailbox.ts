// Reads messages that the platform would have sent, and waits for new ones.
import type { MailboxCleared, MailboxMessage, MailboxPage } from '../../contract/mailbox.ts'
import { defined } from '../../core/defined.ts'
import { callEmulator, type Platform, TestingError } from './platform.ts'

/** Selects messages. An absent member matches all messages. */
export interface MessageFilter {
  /** E-mail address or telephone number. */
  readonly to?: string
  /** Slug, schema name or id of the tenant. */
  readonly project?: string
  readonly channel?: MailboxMessage['channel']
  readonly purpose?: MailboxMessage['purpose']
  /** Selects only messages that contain a code, or only messages that contain a link. */
  readonly with?: 'code' | 'link'
}

/** Selects a message, and limits the wait for it. */
export interface WaitOptions extends MessageFilter {
  /** Wall-clock milliseconds, at most 60,000 (default: 10,000). */
  readonly timeoutMillis?: number
}

/** Messages that the platform would have sent. */
export interface TestMailbox {
  /**
   * Returns the newest unread message that matches, or waits for the next one. Marks this message and all older ones as read.
   * @throws {TestingError} `no_message` when no message arrives in time
   */
  waitFor(options?: WaitOptions): Promise<MailboxMessage>
  /** Returns at most 1,000 messages, newest first. */
  list(filter?: MessageFilter): Promise<readonly MailboxMessage[]>
  /** Removes all messages, or all messages of the mailbox's tenant. Returns their number. */
  clear(): Promise<number>
}

/** @param project the tenant whose messages the mailbox contains (default: all tenants) */
export function createTestMailbox(platform: Platform, project?: string): TestMailbox {
  const own: MessageFilter = project === undefined ? {} : { project }
  return {
    waitFor: async ({ timeoutMillis = 10_000, ...filter } = {}) => {
      const wanted = { ...filter, ...own }
      const message = await callEmulator<MailboxMessage | undefined>(
        platform,
        'GET',
        `/mailbox/next?${query({ ...wanted, timeout_ms: timeoutMillis })}`,
      )
      if (message !== undefined) return message
      throw new TestingError('no_message', await absence(platform, wanted, timeoutMillis))
    },
    list: async (filter = {}) =>
      (await page(platform, { ...filter, ...own, limit: 1_000 })).messages,
    clear: async () =>
      (await callEmulator<MailboxCleared>(platform, 'DELETE', `/mailbox?${query(own)}`)).deleted,
  }
}

async function absence(
  platform: Platform,
  wanted: MessageFilter,
  timeoutMillis: number,
): Promise<string> {
  const { messages } = await page(platform, defined({ project: wanted.project, limit: 5 }))
  const there = messages.map(({ channel, to, purpose }) => `${purpose} by ${channel} to ${to}`)
  return `No unread message matching ${JSON.stringify(wanted)} came within ${timeoutMillis} ms. ${
    there.length === 0
      ? 'The mailbox is empty.'
      : `The newest ones, read or not: ${there.join('; ')}.`
  }`
}

function page(
  platform: Platform,
  filter: MessageFilter & { readonly limit: number },
): Promise<MailboxPage> {
  return callEmulator<MailboxPage>(platform, 'GET', `/mailbox?${query(filter)}`)
}

function query(values: object): string {
  return new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
}
