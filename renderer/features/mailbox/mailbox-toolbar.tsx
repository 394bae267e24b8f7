// The filters of the mailbox: words, tenant, channel.

import type { ReactElement } from 'react'
import { MESSAGE_CHANNELS } from '../../../emulator/contract/choices.ts'
import { useProjects } from '../../api/info.ts'
import { formatNumber } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import type { MailboxSearch } from './mailbox-search.ts'
import { CHANNEL_WORDS } from './message-columns.tsx'

export interface MailboxToolbarProps {
  readonly search: MailboxSearch
  readonly shown: number
  readonly all: number
  readonly onSearch: (search: MailboxSearch) => void
}

const ANY = 'any'
const CHANNEL_OPTIONS = [
  { value: ANY, label: 'any' } as const,
  ...MESSAGE_CHANNELS.map((channel) => ({ value: channel, label: CHANNEL_WORDS[channel] })),
]

export function MailboxToolbar({
  search,
  shown,
  all,
  onSearch,
}: MailboxToolbarProps): ReactElement {
  const { data: projects = [] } = useProjects()
  const { q: _q, ...withoutWords } = search
  const { tenant: _tenant, ...withoutTenant } = search
  const { channel: _channel, ...withoutChannel } = search
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
        onChange={(q) => onSearch(q === '' ? withoutWords : { ...search, q })}
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
        onChange={(tenant) => onSearch(tenant === ANY ? withoutTenant : { ...search, tenant })}
      />
      <Select
        label="Channel"
        hasPrefix
        value={search.channel ?? ANY}
        options={CHANNEL_OPTIONS}
        onChange={(channel) => onSearch(channel === ANY ? withoutChannel : { ...search, channel })}
      />
    </Toolbar>
  )
}
