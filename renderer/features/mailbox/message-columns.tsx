// The columns of the message list.
import { KeyRound, Link2, Mail, MessageCircle, Smartphone } from 'lucide-react'
import type { ReactElement } from 'react'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import { useIsExpired } from '../../parts/message-cargo.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { CHANNELS, type Channel } from './texts.ts'

const ICONS: Readonly<Record<Channel, typeof Mail>> = {
  email: Mail,
  whatsapp: MessageCircle,
  sms: Smartphone,
}

export function ChannelIcon({ channel }: { readonly channel: Channel }): ReactElement {
  const Icon = ICONS[channel]
  return <Icon role="img" aria-label={CHANNELS[channel]} className="size-4 shrink-0" />
}

export const MESSAGE_COLUMNS: readonly GridColumn<MailboxMessage>[] = [
  {
    id: 'channel',
    header: '',
    label: 'Channel',
    width: 56,
    render: ({ channel, is_read: isRead }) => (
      <span className={cx('flex items-center gap-2', isRead ? 'text-ink-dim' : 'text-accent')}>
        <span className={cx('size-2 shrink-0 rounded-full', isRead ? '' : 'bg-accent')}>
          {isRead ? undefined : <span className="sr-only">Unread</span>}
        </span>
        <ChannelIcon channel={channel} />
      </span>
    ),
  },
  {
    id: 'to',
    header: 'To',
    width: 168,
    isMono: true,
    render: ({ to, is_read: isRead }) => (
      <span title={to} className={isRead ? 'text-ink-dim' : 'font-strong'}>
        {to}
      </span>
    ),
  },
  {
    id: 'says',
    header: 'Message',
    min: 120,
    render: ({ subject, text, is_read: isRead }) => (
      <span title={subject ?? text}>
        {subject !== null && <span className={isRead ? undefined : 'font-strong'}>{subject} </span>}
        <span className="text-ink-dim">{text}</span>
      </span>
    ),
  },
  {
    id: 'cargo',
    header: 'Code or link',
    width: 124,
    render: (message) => <Cargo message={message} />,
  },
  {
    id: 'tenant',
    header: 'Tenant',
    width: 92,
    isMono: true,
    render: ({ schema_name: schema }) => schema.replace(/^proj_/, ''),
  },
  {
    id: 'sent',
    header: 'Sent',
    width: 112,
    align: 'end',
    render: ({ sent_at: at }) => <Timestamp at={at} isPast />,
  },
]

function Cargo({ message }: { readonly message: MailboxMessage }): ReactElement {
  const { code, link } = message
  const isExpired = useIsExpired(message)
  return (
    <span
      className="flex items-center gap-1"
      title={isExpired ? 'expired on the platform’s clock' : undefined}
    >
      {code !== null && (
        <Chip tone={isExpired ? 'neutral' : 'accent'} isMono icon={<KeyRound />}>
          <span className={isExpired ? 'line-through' : undefined}>{code}</span>
        </Chip>
      )}
      {link !== null && (
        <Chip icon={<Link2 />}>
          <span className={isExpired ? 'line-through' : undefined}>link</span>
        </Chip>
      )}
      {isExpired && <span className="sr-only">expired</span>}
    </span>
  )
}
