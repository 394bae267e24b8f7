// Shows one snapshot with its facts, the differences since then, and buttons that restore or delete the snapshot.
import { History, RefreshCw, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { useLastChange } from '../../api/changes.ts'
import { type SnapshotComparison, useSnapshotComparison } from '../../api/snapshot-comparison.ts'
import { UndoSection } from '../../parts/change/change-undo.tsx'
import { TEXTS as CHANGE_TEXTS } from '../../parts/change/texts.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Select } from '../../ui/select.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Duration, Timestamp } from '../../ui/timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DiffView } from './diff-view.tsx'

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
  const comparison = useSnapshotComparison(snapshot.name, comparedWith)
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
      <UndoChange snapshot={snapshot.name} />
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
        <Loaded query={comparison.query} what="the differences" lines={4}>
          {(diff) => (
            <>
              <ComparedAt comparison={comparison} at={diff.taken_at} millis={diff.duration_ms} />
              <DiffView diff={diff} />
            </>
          )}
        </Loaded>
      </Section>
    </Sheet>
  )
}

/** Offers to undo the last change, when that change saved this snapshot. */
function UndoChange({ snapshot }: { readonly snapshot: string }): ReactElement | undefined {
  const { data } = useLastChange()
  const change = data?.change
  if (change?.answer.snapshot !== snapshot) return undefined
  return (
    <UndoSection
      tenant={change.project}
      applied={change.answer}
      onUndone={({ removed }) =>
        showToast({
          title: CHANGE_TEXTS.undone,
          tone: 'allowed',
          ...(removed !== null && { detail: `Removed ${removed}.` }),
        })
      }
    >
      It takes back “{change.title}”.
    </UndoSection>
  )
}

/** Shows when the comparison was made, and a button that makes it again. */
function ComparedAt(props: {
  readonly comparison: SnapshotComparison
  readonly at: string
  readonly millis: number
}): ReactElement {
  const { comparison, at, millis } = props
  const { isOutdated, query, renew } = comparison
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-dim">
      <span>
        Compared at <Timestamp at={at} format="time" /> UTC in <Duration millis={millis} />
      </span>
      <span role="status" className="text-changed">
        {staleness(isOutdated, query.isRefetchError)}
      </span>
      <span className="ml-auto">
        <Button size="small" icon={<RefreshCw />} isBusy={query.isFetching} onClick={renew}>
          Repeat comparison
        </Button>
      </span>
    </div>
  )
}

function staleness(isOutdated: boolean, hasFailed: boolean): string {
  if (hasFailed) return 'Could not repeat the comparison.'
  return isOutdated ? 'Data has changed since then.' : ''
}
