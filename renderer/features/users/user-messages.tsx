// The last codes and links a user was sent, ready to use.
import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { useMessagesTo } from '../../api/mailbox.ts'
import { MessageCargo } from '../../parts/message-cargo.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'

export function UserMessages({
  tenant,
  user: { email, phone },
}: {
  readonly tenant: string
  readonly user: ProjectUserDetail
}): ReactElement {
  const addresses = useMemo(
    () => [email, phone].filter((address) => address !== null),
    [email, phone],
  )
  const { data: messages, error, refetch } = useMessagesTo(tenant, addresses)
  if (error !== null)
    return (
      <Failed title="The mailbox could not be read" error={error} retry={() => void refetch()} />
    )
  if (messages === undefined && addresses.length > 0) return <Loading label="Loading messages" />
  if (messages === undefined || messages.length === 0)
    return (
      <EmptyState
        icon={<Inbox aria-hidden="true" />}
        title="Nothing was sent to this user"
        detail="A code or link shows here the moment the application asks for one."
      />
    )
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
