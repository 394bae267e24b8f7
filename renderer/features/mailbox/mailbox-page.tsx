// Mailbox: everything the platform would have sent, in one list, as it arrives. The address holds filters and open message.
import { useSearch } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { type ReactElement, useCallback, useMemo } from 'react'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import { useMailbox } from '../../api/mailbox.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { ClearButton } from './clear-button.tsx'
import { filterMessages } from './filter-messages.ts'
import { isFiltered, type MailboxSearch } from './mailbox-search.ts'
import { MailboxToolbar } from './mailbox-toolbar.tsx'
import { MESSAGE_COLUMNS } from './message-columns.tsx'
import { MessageSheet } from './message-sheet.tsx'
import { WaitSnippet } from './wait-snippet.tsx'

const NONE: readonly MailboxMessage[] = []

export function MailboxPage(): ReactElement {
  const search = useSearch({ from: '/mailbox' })
  const { data: messages = NONE, error, isPending, refetch } = useMailbox()
  const shown = useMemo(() => filterMessages(messages, search), [messages, search])
  const unread = messages.filter(({ is_read: isRead }) => !isRead).length
  const go = useSetSearch<MailboxSearch>()
  const close = useCallback(
    () => go({ ...search, message: undefined, as: undefined }),
    [search, go],
  )
  return (
    <>
      <PageHeader
        title="Mailbox"
        beside={unread === 0 ? undefined : <Chip tone="accent">{formatNumber(unread)} unread</Chip>}
        actions={
          <>
            <WaitSnippet tenant={search.tenant} channel={search.channel} />
            <ClearButton tenant={search.tenant} isEmpty={messages.length === 0} onDone={close} />
          </>
        }
      />
      <MailboxToolbar search={search} shown={shown.length} all={messages.length} onSearch={go} />
      <SheetLayout
        sheet={
          search.message === undefined ? undefined : (
            <MessageSheet
              key={search.message}
              id={search.message}
              isText={search.as === 'text'}
              onText={(isText) => go({ ...search, as: isText ? 'text' : undefined })}
              onClose={close}
            />
          )
        }
      >
        {isPending ? (
          <Loading label="Loading messages" lines={8} />
        ) : error !== null && messages.length === 0 ? (
          <Failed
            title="The mailbox could not be read"
            error={error}
            retry={() => void refetch()}
          />
        ) : (
          <DataGrid
            label="Messages"
            name="mailbox"
            columns={MESSAGE_COLUMNS}
            rows={shown}
            rowKey={keyOf}
            rowHeight={32}
            selected={search.message === undefined ? undefined : String(search.message)}
            onSelect={(_key, { id }) => go({ ...search, message: id })}
            isFirst
            empty={<NoMessages isFiltered={isFiltered(search)} onAll={() => go({})} />}
          />
        )}
      </SheetLayout>
    </>
  )
}

function NoMessages({
  isFiltered: hasFilters,
  onAll,
}: {
  readonly isFiltered: boolean
  readonly onAll: () => void
}): ReactElement {
  return hasFilters ? (
    <EmptyState
      icon={<Inbox aria-hidden="true" />}
      title="No message like that"
      action={<Button onClick={onAll}>Show all messages</Button>}
    />
  ) : (
    <EmptyState
      icon={<Inbox aria-hidden="true" />}
      title="The mailbox is empty"
      detail="Nothing is ever sent from here: e-mails, WhatsApp messages and SMS arrive in this list, with their codes and links."
    />
  )
}

function keyOf({ id }: MailboxMessage): string {
  return String(id)
}
