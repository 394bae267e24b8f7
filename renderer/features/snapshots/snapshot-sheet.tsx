// One snapshot: its facts, the differences since it was saved, and restoring or deleting it.
import { History, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { useSnapshotDiff } from '../../api/snapshots.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
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
          Restore snapshot…
        </Button>
        <Button tone="danger" icon={<Trash2 aria-hidden="true" />} onClick={props.onDelete}>
          Delete snapshot…
        </Button>
      </div>
      {snapshot.note === null ? undefined : <p className="break-words">{snapshot.note}</p>}
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
