// The mailbox screen lists every message that the hosted platform would have sent. The address holds the filters and
// the open message.
import { useSearch } from '@tanstack/react-router'
import { Inbox, Trash2 } from 'lucide-react'
import { type ReactElement, useCallback, useMemo } from 'react'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import { useProjects } from '../../api/info.ts'
import { clearMailbox, useMailbox } from '../../api/mailbox.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useAction } from '../../ui/form-action.ts'
import { countOf, optionsOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { filterMessages } from './filter-messages.ts'
import { isFiltered, type MailboxSearch } from './mailbox-search.ts'
import { MESSAGE_COLUMNS } from './message-columns.tsx'
import { MessageSheet } from './message-sheet.tsx'
import { CHANNELS, EMPTY } from './texts.ts'
import { WaitSnippet } from './wait-snippet.tsx'

const NONE: readonly MailboxMessage[] = []

export function MailboxPage(): ReactElement {
  const search = useSearch({ from: '/mailbox' })
  const mailbox = useMailbox()
  const messages = mailbox.data ?? NONE
  const shown = useMemo(() => filterMessages(messages, search), [messages, search])
  const unread = messages.filter(({ is_read: isRead }) => !isRead).length
  const go = useSetSearch<MailboxSearch>()
  const close = useCallback(
    () => go({ ...search, message: undefined, format: undefined }),
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
              isText={search.format === 'text'}
              onText={(isText) => go({ ...search, format: isText ? 'text' : undefined })}
              onClose={close}
            />
          )
        }
      >
        <Loaded query={mailbox} what="messages" lines={8}>
          {() => (
            <DataGrid
              label="Messages"
              name="mailbox"
              columns={MESSAGE_COLUMNS}
              rows={shown}
              rowKey={({ id }) => String(id)}
              rowHeight={32}
              selected={search.message === undefined ? undefined : String(search.message)}
              onSelect={(_key, { id }) => go({ ...search, message: id })}
              isFirst
              empty={<NoMessages isFiltered={isFiltered(search)} onAll={() => go({})} />}
            />
          )}
        </Loaded>
      </SheetLayout>
    </>
  )
}

const ANY = 'any'
const CHANNEL_OPTIONS = optionsOf({ [ANY]: 'any', ...CHANNELS })

function MailboxToolbar(props: {
  readonly search: MailboxSearch
  readonly shown: number
  readonly all: number
  readonly onSearch: (search: MailboxSearch) => void
}): ReactElement {
  const { search, shown, all, onSearch } = props
  const { data: projects = [] } = useProjects()
  return (
    <Toolbar
      label="Filter messages"
      actions={
        <span className="text-ink-dim tabular-nums">
          {formatNumber(shown)} of {formatNumber(all)}
        </span>
      }
    >
      <SearchField
        label="Search messages"
        placeholder="Recipient, subject, code…"
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q: q || undefined })}
        className="w-72"
      />
      <Select
        label="Tenant"
        hasPrefix
        value={search.tenant ?? ANY}
        options={[
          { value: ANY, label: 'any' },
          ...projects.map(({ slug }) => ({ value: slug, label: slug })),
        ]}
        onChange={(tenant) => onSearch({ ...search, tenant: tenant === ANY ? undefined : tenant })}
      />
      <Select
        label="Channel"
        hasPrefix
        value={search.channel ?? ANY}
        options={CHANNEL_OPTIONS}
        onChange={(channel) =>
          onSearch({ ...search, channel: channel === ANY ? undefined : channel })
        }
      />
    </Toolbar>
  )
}

function ClearButton(props: {
  readonly tenant: string | undefined
  readonly isEmpty: boolean
  readonly onDone: () => void
}): ReactElement {
  const { tenant, isEmpty, onDone } = props
  const clear = useAction({
    work: () => clearMailbox(tenant),
    stale: [['mailbox']],
    done: ({ deleted }) => ({ title: `${countOf(deleted, 'message')} deleted`, tone: 'neutral' }),
    onDone,
    failure: 'Could not clear the mailbox',
  })
  return (
    <Button
      icon={<Trash2 />}
      disabled={isEmpty}
      isBusy={clear.isPending}
      onClick={() => clear.mutate()}
    >
      {tenant === undefined ? 'Clear mailbox' : `Clear mailbox of ${tenant}`}
    </Button>
  )
}

function NoMessages(props: {
  readonly isFiltered: boolean
  readonly onAll: () => void
}): ReactElement {
  const { isFiltered: hasFilters, onAll } = props
  return (
    <EmptyState
      icon={<Inbox />}
      {...(hasFilters ? EMPTY.matches : EMPTY.messages)}
      action={hasFilters ? <Button onClick={onAll}>Show all messages</Button> : undefined}
    />
  )
}
