// Shows one snapshot with its facts, the differences since then, and buttons that restore or delete the snapshot.
import { History, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Snapshot, SnapshotDiff } from '../../../emulator/contract/snapshots.ts'
import { useSnapshotDiff } from '../../api/snapshots.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Select } from '../../ui/select.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY } from './texts.ts'

const NOW = ':now'

export function SnapshotSheet(props: {
  readonly snapshot: Snapshot
  readonly others: readonly Snapshot[]
  readonly comparedWith: string | undefined
  readonly onCompare: (other: string | undefined) => void
  readonly onRestore: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}): ReactElement {
  const { snapshot, others, comparedWith } = props
  const diff = useSnapshotDiff(snapshot.name, comparedWith)
  return (
    <Sheet
      title={<span className="font-mono">{snapshot.name}</span>}
      label="Snapshot"
      name="snapshot"
      onClose={props.onClose}
    >
      <div className="flex gap-2">
        <Button tone="primary" icon={<History />} onClick={props.onRestore}>
          Restore snapshot…
        </Button>
        <Button tone="danger" icon={<Trash2 />} onClick={props.onDelete}>
          Delete snapshot…
        </Button>
      </div>
      {snapshot.note !== null && <p className="break-words">{snapshot.note}</p>}
      <KeyValueList
        items={[
          ['Platform time', <Timestamp key="p" at={snapshot.platform_time} format="exact" />],
          ['Saved', <Timestamp key="s" at={snapshot.saved_at} format="exact" />],
          ['Tenants', snapshot.tenants],
          ['Size', <Bytes key="b" bytes={snapshot.size_bytes} />],
        ]}
      />
      <Section
        title="Differences"
        beside={
          <Select
            label="Compare with"
            hasPrefix
            size="small"
            value={comparedWith ?? NOW}
            options={[
              { value: NOW, label: 'now' },
              ...others.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={(value) => props.onCompare(value === NOW ? undefined : value)}
          />
        }
      >
        <Loaded query={diff} what="the differences" lines={4}>
          {(loaded) => <DiffView diff={loaded} />}
        </Loaded>
      </Section>
    </Sheet>
  )
}

type TenantDiff = SnapshotDiff['tenants'][number]

/** Lists the differences between two states by tenant. */
function DiffView({ diff }: { readonly diff: SnapshotDiff }): ReactElement {
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
      {tenant.users_added + tenant.users_removed !== 0 && (
        <li className="flex items-center gap-2">
          <span className="flex-1">Users</span>
          <Counts of="users" added={tenant.users_added} removed={tenant.users_removed} />
        </li>
      )}
      {tenant.objects_added + tenant.objects_removed !== 0 && (
        <li className="flex items-center gap-2">
          <span className="flex-1">Files</span>
          <Counts of="files" added={tenant.objects_added} removed={tenant.objects_removed} />
        </li>
      )}
    </>
  )
}

function Counts(props: {
  readonly of: string
  readonly added: number
  readonly removed: number
  readonly changed?: number
}): ReactElement {
  const { of, added, removed, changed = 0 } = props
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
