// The columns of the request list.
import type { ReactElement } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { identityName } from '../../parts/identity-names.ts'
import { factsOf } from '../../parts/requests/request-facts.ts'
import { NOTHING, splitTarget } from '../../parts/requests/request-words.ts'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Timestamp } from '../../ui/timestamp.tsx'

/** @param names names of users, by user id */
export function requestColumns(
  names: ReadonlyMap<string, string>,
): readonly GridColumn<JournalEntry>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      width: 122,
      isMono: true,
      canSort: true,
      render: ({ received_at: at }) => <Timestamp at={at} format="time" isPast />,
    },
    {
      id: 'status',
      header: 'Status',
      width: 76,
      render: ({ status }) => <HttpStatus status={status} />,
    },
    {
      id: 'method',
      leaves: 1,
      header: 'Method',
      width: 76,
      isMono: true,
      render: ({ method }) => method,
    },
    { id: 'path', header: 'Path', min: 220, isMono: true, render: (entry) => <Path {...entry} /> },
    {
      id: 'rows',
      leaves: 4,
      header: 'Rows',
      width: 72,
      align: 'end',
      canSort: true,
      render: ({ row_count: rows }) => <Rows rows={rows} />,
    },
    {
      id: 'duration',
      header: 'Duration',
      width: 96,
      align: 'end',
      canSort: true,
      render: ({ duration_ms: millis }) => formatDuration(millis),
    },
    {
      id: 'service',
      leaves: 5,
      header: 'Service',
      width: 84,
      render: (entry) => factsOf(entry).service,
    },
    {
      id: 'tenant',
      leaves: 3,
      header: 'Tenant',
      width: 120,
      render: (entry) => <Tenant entry={entry} />,
    },
    {
      id: 'identity',
      leaves: 2,
      header: 'Identity',
      width: 150,
      render: (entry) => identityName(factsOf(entry).identity, names),
    },
  ]
}

function Path({ fault, target }: Pick<JournalEntry, 'fault' | 'target'>): ReactElement {
  const { path, query } = splitTarget(target)
  return (
    <span title={target}>
      {fault === null ? undefined : (
        <Chip tone="fault" title={`Fault ${fault} applied to this request`} className="mr-2">
          fault
        </Chip>
      )}
      {path}
      <span className="text-ink-dim">{query}</span>
    </span>
  )
}

function Tenant({ entry }: { readonly entry: JournalEntry }): ReactElement {
  const { tenant } = factsOf(entry)
  if (!entry.schema_is_claimed) return <span>{tenant}</span>
  return (
    <span title={`The refused credential claims the tenant ${tenant}. The claim is not verified.`}>
      {tenant} <span className="text-small text-ink-dim">claimed</span>
    </span>
  )
}

function Rows({ rows }: { readonly rows: number | null }): ReactElement {
  if (rows === null) return <span className="text-ink-dim">{NOTHING}</span>
  return rows === 0 ? <span className="text-clock">0</span> : <span>{rows}</span>
}
