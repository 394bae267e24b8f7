// The snapshots screen lists saved states of the whole platform. The address holds the open snapshot and the snapshot
// to compare with.
import { useSearch } from '@tanstack/react-router'
import { Camera, DatabaseZap, Package, RotateCcw } from 'lucide-react'
import { type ReactElement, useCallback, useState } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { saveSnapshot, useSnapshots } from '../../api/snapshots.ts'
import { BundleDialog } from '../../parts/bundle-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ConfirmAction, type SnapshotAction } from './snapshot-actions.tsx'
import { nextName, readDraft } from './snapshot-draft.ts'
import { SnapshotSheet } from './snapshot-sheet.tsx'
import type { SnapshotsSearch } from './snapshots-search.ts'
import { EMPTY } from './texts.ts'
import { Timeline } from './timeline.tsx'

export function SnapshotsPage(): ReactElement {
  const { open } = useSearch({ from: '/snapshots' })
  const snapshots = useSnapshots()
  const [isSaving, setSaving] = useState(false)
  const [isBundling, setBundling] = useState(false)
  const [asked, setAsked] = useState<SnapshotAction>()
  const go = useSetSearch<SnapshotsSearch>()
  const list = snapshots.data?.snapshots
  return (
    <>
      <PageHeader
        title="Snapshots"
        beside={list === undefined ? undefined : <span>{list.length}</span>}
        actions={
          list === undefined ? undefined : (
            <>
              <Button title="Create bundle" icon={<Package />} onClick={() => setBundling(true)}>
                <span className="max-md:sr-only">Create bundle…</span>
              </Button>
              <Button
                title="Reset platform"
                icon={<RotateCcw />}
                onClick={() => setAsked({ kind: 'reset' })}
              >
                <span className="max-md:sr-only">Reset platform…</span>
              </Button>
              <Button
                title="Reset to fixture"
                icon={<DatabaseZap />}
                onClick={() => setAsked({ kind: 'reseed' })}
              >
                <span className="max-md:sr-only">Reset to fixture…</span>
              </Button>
              <Button tone="primary" icon={<Camera />} onClick={() => setSaving(true)}>
                Save snapshot
              </Button>
            </>
          )
        }
      />
      <Loaded query={snapshots} what="snapshots" since="Snapshots">
        {({ snapshots: known }) => (
          <SheetLayout sheet={<OpenSheet snapshots={known} go={go} onAsk={setAsked} />}>
            {known.length === 0 ? (
              <EmptyState
                icon={<Camera />}
                {...EMPTY.snapshots}
                action={<Button onClick={() => setSaving(true)}>Save snapshot</Button>}
              />
            ) : (
              <Timeline snapshots={known} open={open} onOpen={(name) => go({ open: name })} />
            )}
          </SheetLayout>
        )}
      </Loaded>
      {isSaving && list !== undefined && (
        <SaveDialog
          snapshots={list}
          onClose={() => setSaving(false)}
          onSaved={(name) => {
            setSaving(false)
            go({ open: name })
          }}
        />
      )}
      {isBundling && <BundleDialog onClose={() => setBundling(false)} />}
      <ConfirmAction
        action={asked}
        onDone={({ kind }) => {
          setAsked(undefined)
          if (kind === 'delete') go({})
        }}
        onClose={() => setAsked(undefined)}
      />
    </>
  )
}

function OpenSheet(props: {
  readonly snapshots: readonly Snapshot[]
  readonly go: (search: SnapshotsSearch) => void
  readonly onAsk: (action: SnapshotAction) => void
}): ReactElement | undefined {
  const { snapshots, go, onAsk } = props
  const { open, with: other } = useSearch({ from: '/snapshots' })
  const close = useCallback(() => go({}), [go])
  const chosen = snapshots.find(({ name }) => name === open)
  if (chosen === undefined) return undefined
  const { name } = chosen
  return (
    <SnapshotSheet
      key={name}
      snapshot={chosen}
      others={snapshots.filter((one) => one !== chosen)}
      comparedWith={other}
      onCompare={(next) => go({ open: name, with: next })}
      onRestore={() => onAsk({ kind: 'restore', name })}
      onDelete={() => onAsk({ kind: 'delete', name })}
      onClose={close}
    />
  )
}

function SaveDialog(props: {
  readonly snapshots: readonly Snapshot[]
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}): ReactElement {
  const { snapshots, onSaved, onClose } = props
  const form = useForm({
    initial: { name: nextName(snapshots), note: '', isReplacing: false },
    read: (draft) => readDraft(snapshots, draft),
    send: saveSnapshot,
    stale: [['snapshots']],
    onSent: ({ name }) => onSaved(name),
  })
  const { name, isReplacing } = form.draft
  return (
    <Dialog title="Save snapshot" isOpen onClose={onClose}>
      <Form
        form={form}
        action="Save snapshot"
        failure="Could not save the snapshot"
        onCancel={onClose}
      >
        <TextField {...form.field('name')} label="Name" isMono />
        <TextField {...form.field('note')} label="Note" placeholder="before the migration" />
        {snapshots.some((snapshot) => snapshot.name === name) ? (
          <Checkbox
            label={`Replace the existing snapshot ${name}`}
            isChecked={isReplacing}
            onChange={(isChecked) => form.edit({ isReplacing: isChecked })}
          />
        ) : undefined}
      </Form>
    </Dialog>
  )
}
