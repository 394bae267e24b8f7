// The columns of the list of a user's activity. Each entry links to the screen that shows the entry in full.
import { Link } from '@tanstack/react-router'
import { Archive, Inbox, KeyRound, Link2, ListTree, Radio } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ActivityEntry } from '../../../emulator/contract/activity.ts'
import type { ActivityKind } from '../../../emulator/contract/choices.ts'
import { shortName } from '../../parts/bucket-names.ts'
import { ChangeEvent, ChangeVerdictChip } from '../../parts/change-verdict-chip.tsx'
import { HttpStatus } from '../../parts/http-status.tsx'
import { changeInALine } from '../../parts/row-text.ts'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { KINDS } from './texts.ts'

const ICONS: Readonly<Record<ActivityKind, typeof Inbox>> = {
  request: ListTree,
  message: Inbox,
  file: Archive,
  change: Radio,
}

const LINK = 'block truncate hover:underline'

export function activityColumns(tenant: string): readonly GridColumn<ActivityEntry>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      width: 122,
      isMono: true,
      render: ({ at }) => <Timestamp at={at} format="time" />,
    },
    { id: 'kind', header: 'Kind', width: 110, render: ({ kind }) => <Kind kind={kind} /> },
    {
      id: 'what',
      header: 'What',
      min: 220,
      render: (entry) => <What entry={entry} tenant={tenant} />,
    },
    {
      id: 'result',
      header: 'Result',
      width: 168,
      render: (entry) => <Result entry={entry} />,
    },
  ]
}

/** Returns a key that stays the same for the same entry. */
export function keyOfEntry(entry: ActivityEntry): string {
  switch (entry.kind) {
    case 'request':
      return `request ${entry.request.sequence}`
    case 'message':
      return `message ${entry.message.id}`
    case 'file':
      return `file ${entry.file.bucket}/${entry.file.object_key}`
    case 'change':
      return `change ${entry.change.number}`
  }
}

function Kind({ kind }: { readonly kind: ActivityKind }): ReactElement {
  const Icon = ICONS[kind]
  return (
    <span className="flex items-center gap-2 text-ink-dim">
      <Icon className="size-4 shrink-0" />
      {KINDS[kind].one}
    </span>
  )
}

function What(props: { readonly entry: ActivityEntry; readonly tenant: string }): ReactElement {
  const { entry, tenant } = props
  switch (entry.kind) {
    case 'request': {
      const { method, request_id: requestId, target } = entry.request
      return (
        <Link to="/requests/$requestId" params={{ requestId }} title={target} className={LINK}>
          <span className="font-mono">
            {method} {target}
          </span>
        </Link>
      )
    }
    case 'message': {
      const { id, subject, text } = entry.message
      return (
        <Link to="/mailbox" search={{ message: id }} title={text} className={LINK}>
          {subject ?? text}
        </Link>
      )
    }
    case 'file':
      return <FileLink file={entry.file} tenant={tenant} />
    case 'change': {
      const { event, number, table } = entry.change
      return (
        <Link
          to="/t/$tenant/realtime"
          params={{ tenant }}
          search={{ change: number }}
          className={LINK}
        >
          <ChangeEvent event={event} />
          <span className="pl-2 font-mono">
            {table} <span className="text-ink-dim">{changeInALine(entry.change)}</span>
          </span>
        </Link>
      )
    }
  }
}

function FileLink(props: {
  readonly file: Extract<ActivityEntry, { kind: 'file' }>['file']
  readonly tenant: string
}): ReactElement {
  const { file, tenant } = props
  const { bucket, object_key: key } = file
  const short = shortName(tenant, bucket)
  const slash = key.lastIndexOf('/')
  const folder = slash === -1 ? undefined : key.slice(0, slash + 1)
  return (
    <Link
      to="/t/$tenant/storage/$bucket"
      params={{ tenant, bucket: short }}
      search={{ folder, object: key }}
      title={`${bucket}/${key}`}
      className={LINK}
    >
      <span className="font-mono">
        {short}/{key}
      </span>
    </Link>
  )
}

function Result({ entry }: { readonly entry: ActivityEntry }): ReactElement {
  switch (entry.kind) {
    case 'request':
      return <HttpStatus status={entry.request.status} />
    case 'message': {
      const { code, link } = entry.message
      return (
        <span className="flex items-center gap-1">
          {code !== null && (
            <Chip tone="accent" isMono icon={<KeyRound />}>
              {code}
            </Chip>
          )}
          {link !== null && <Chip icon={<Link2 />}>link</Chip>}
        </span>
      )
    }
    case 'file':
      return (
        <span className="text-ink-dim">
          {entry.file.is_replaced ? 'replaced, ' : ''}
          <Bytes bytes={entry.file.size_bytes} />
        </span>
      )
    case 'change':
      return (
        <span className="flex items-center gap-1">
          {[...new Set(entry.change.verdicts.map(({ verdict }) => verdict))].map((verdict) => (
            <ChangeVerdictChip key={verdict} verdict={verdict} />
          ))}
        </span>
      )
  }
}
