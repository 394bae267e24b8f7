// One snapshot: what it holds, how it differs, going back to it.
import { History, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { useSnapshotDiff } from '../../api/snapshots.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Select } from '../../ui/select.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { DiffView } from './diff-view.tsx'

export interface SnapshotSheetProps {
  readonly snapshot: Snapshot
  readonly others: readonly Snapshot[]
  readonly comparedWith: string | undefined
  readonly onCompare: (other: string | undefined) => void
  readonly onRestore: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

const NOW = ':now'

export function SnapshotSheet(props: SnapshotSheetProps): ReactElement {
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
        <Button tone="primary" icon={<History aria-hidden="true" />} onClick={props.onRestore}>
          Restore…
        </Button>
        <Button tone="danger" icon={<Trash2 aria-hidden="true" />} onClick={props.onDelete}>
          Delete…
        </Button>
      </div>
      {snapshot.note === null ? undefined : <p className="break-words">{snapshot.note}</p>}
      <KeyValueList
        items={[
          ['Platform time', <Timestamp key="p" at={snapshot.platform_time} format="exact" />],
          ['Saved at', <Timestamp key="s" at={snapshot.saved_at} format="exact" />],
          ['Tenants', snapshot.tenants],
          ['Size', <Bytes key="b" bytes={snapshot.size_bytes} />],
        ]}
      />
      <Section
        title="What changed since"
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
        {diff.isError ? (
          <Failed
            title="They could not be compared"
            error={diff.error}
            retry={() => void diff.refetch()}
          />
        ) : diff.data === undefined ? (
          <Loading label="Comparing" lines={4} />
        ) : (
          <DiffView diff={diff.data} />
        )}
      </Section>
    </Sheet>
  )
}
