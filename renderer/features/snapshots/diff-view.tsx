// The differences between two states, tenant by tenant.
import type { ReactElement } from 'react'
import type { SnapshotDiff } from '../../../emulator/contract/snapshots.ts'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EMPTY } from './texts.ts'

type TenantDiff = SnapshotDiff['tenants'][number]

export function DiffView({ diff }: { readonly diff: SnapshotDiff }): ReactElement {
  if (diff.tenants.length === 0) return <EmptyState {...EMPTY.differences} />
  return (
    <ul aria-label="Differences" className="flex flex-col gap-3">
      {diff.tenants.map((tenant) => (
        <li key={tenant.schema_name} className="rounded-2 border bg-surface-0">
          <p className="flex items-center gap-2 border-b px-3 py-2">
            <span className="min-w-0 flex-1 truncate font-mono">{tenant.schema_name}</span>
            <Chip tone="changed">{tenant.change}</Chip>
          </p>
          <ul className="flex flex-col gap-1 px-3 py-2">
            {tenant.tables.map((table) => (
              <li key={table.table} className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-mono">{table.table}</span>
                {table.structure_changed ? <Chip tone="changed">structure</Chip> : undefined}
                <Counts
                  of="rows"
                  added={table.rows_added}
                  removed={table.rows_removed}
                  changed={table.rows_changed}
                />
              </li>
            ))}
            <Others tenant={tenant} />
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Others({ tenant }: { readonly tenant: TenantDiff }): ReactElement {
  return (
    <>
      {tenant.users_added + tenant.users_removed === 0 ? undefined : (
        <li className="flex items-center gap-2">
          <span className="flex-1">Users</span>
          <Counts of="users" added={tenant.users_added} removed={tenant.users_removed} />
        </li>
      )}
      {tenant.objects_added + tenant.objects_removed === 0 ? undefined : (
        <li className="flex items-center gap-2">
          <span className="flex-1">Files</span>
          <Counts of="files" added={tenant.objects_added} removed={tenant.objects_removed} />
        </li>
      )}
    </>
  )
}

function Counts({
  of,
  added,
  removed,
  changed = 0,
}: {
  readonly of: string
  readonly added: number
  readonly removed: number
  readonly changed?: number
}): ReactElement {
  const parts = [
    ['+', added, 'added', 'text-allowed'],
    ['−', removed, 'removed', 'text-refused'],
    ['~', changed, 'changed', 'text-changed'],
  ] as const
  return (
    <span className="flex gap-3 tabular-nums">
      {parts
        .filter(([, count]) => count > 0)
        .map(([sign, count, word, ink]) => (
          <span key={word} title={`${formatNumber(count)} ${of} ${word}`} className={ink}>
            {sign}
            {formatNumber(count)}
          </span>
        ))}
    </span>
  )
}
