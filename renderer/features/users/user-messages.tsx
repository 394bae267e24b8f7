// Lists the latest codes and links that the platform sent to a user.
import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { useMessagesTo } from '../../api/mailbox.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MessageCargo } from '../../parts/message-cargo.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY } from './texts.ts'

export function UserMessages(props: {
  readonly tenant: string
  readonly user: ProjectUserDetail
}): ReactElement {
  const { tenant, user } = props
  const { email, phone } = user
  const addresses = useMemo(
    () => [email, phone].filter((address) => address !== null),
    [email, phone],
  )
  const query = useMessagesTo(tenant, addresses)
  if (addresses.length === 0) return <Messages messages={[]} />
  return (
    <Loaded query={query} what="messages">
      {(messages) => <Messages messages={messages} />}
    </Loaded>
  )
}

function Messages({ messages }: { readonly messages: readonly MailboxMessage[] }): ReactElement {
  if (messages.length === 0) return <EmptyState icon={<Inbox />} {...EMPTY.messages} />
  return (
    <ul aria-label="Last messages" className="flex flex-col gap-2">
      {messages.map((message) => (
        <li key={message.id} className="flex flex-col gap-2 rounded-2 border bg-surface-0 p-3">
          <div className="flex items-center gap-2">
            <Link
              to="/mailbox"
              search={{ message: message.id }}
              className="min-w-0 truncate font-strong hover:underline"
            >
              {message.subject ?? message.text}
            </Link>
            <span className="ml-auto shrink-0 text-small text-ink-dim">
              {message.channel} · <Timestamp at={message.sent_at} />
            </span>
          </div>
          <MessageCargo message={message} />
        </li>
      ))}
    </ul>
  )
}
