// Loads the mailbox of captured messages, loads one message, and clears the mailbox.
import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { MailboxCleared, MailboxMessage } from '../../emulator/contract/mailbox.ts'
import { call } from './client.ts'

/** The most messages that the emulator keeps. */
const MOST = 1_000
const LIST = ['mailbox', 'list'] as const

/** Loads all messages, newest first. The query reloads when a message arrives. */
export function useMailbox(): UseQueryResult<readonly MailboxMessage[]> {
  return useQuery({
    queryKey: LIST,
    queryFn: async ({ signal }) =>
      (await call('GET /mailbox', { query: { limit: MOST }, signal })).messages,
  })
}

/** Loads one message, which marks the message as read. The query loads nothing while `id` is undefined. */
export function useMessage(id: number | undefined): UseQueryResult<MailboxMessage> {
  return useQuery({
    queryKey: ['mailbox', 'message', id],
    queryFn:
      id === undefined
        ? skipToken
        : async ({ signal, client }) => {
            const message = await call('GET /mailbox/:id', { params: { id }, signal })
            client.setQueryData<readonly MailboxMessage[]>(LIST, (messages) =>
              messages?.map((one) =>
                one.id === id && !one.is_read ? { ...one, is_read: true } : one,
              ),
            )
            return message
          },
  })
}

/**
 * Loads the latest five messages to these addresses, newest first. The query loads nothing while `addresses` is empty.
 */
export function useMessagesTo(
  project: string,
  addresses: readonly string[],
): UseQueryResult<readonly MailboxMessage[]> {
  return useQuery({
    queryKey: ['mailbox', 'to', project, addresses],
    enabled: addresses.length > 0,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        addresses.map((to) => call('GET /mailbox', { query: { project, to, limit: 5 }, signal })),
      )
      return pages
        .flatMap(({ messages }) => messages)
        .toSorted((one, other) => other.id - one.id)
        .slice(0, 5)
    },
  })
}

/** Deletes all messages, or those of one project. @throws {ApiError} */
export function clearMailbox(project: string | undefined): Promise<MailboxCleared> {
  return call('DELETE /mailbox', { query: { project } })
}
