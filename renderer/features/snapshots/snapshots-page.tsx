// Snapshots: the whole platform at moments, along a line; save, go back, compare, reset.
import { useSearch } from '@tanstack/react-router'
import { Camera, RotateCcw } from 'lucide-react'
import { type ReactElement, useCallback, useState } from 'react'
import { useSnapshots } from '../../api/snapshots.ts'
import { isNotAvailable, NotAvailable } from '../../parts/not-available.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { ConfirmAction } from './confirm-action.tsx'
import { SaveForm } from './save-form.tsx'
import { SnapshotSheet } from './snapshot-sheet.tsx'
import type { SnapshotsSearch } from './snapshots-search.ts'
import { Timeline } from './timeline.tsx'
import { type SnapshotAction, useSnapshotActions } from './use-snapshot-actions.ts'

export function SnapshotsPage(): ReactElement {
  const { open, with: other } = useSearch({ from: '/snapshots' })
  const snapshots = useSnapshots()
  const [isSaving, setSaving] = useState(false)
  const [asked, setAsked] = useState<SnapshotAction>()
  const go = useSetSearch<SnapshotsSearch>()
  const close = useCallback(() => go({}), [go])
  const actions = useSnapshotActions((action) => {
    setAsked(undefined)
    if (action.kind === 'delete') close()
  })
  const list = snapshots.data?.snapshots
  const chosen = list?.find(({ name }) => name === open)
  return (
    <>
      <PageHeader
        title="Snapshots"
        beside={list === undefined ? undefined : <span>{list.length}</span>}
        actions={
          list === undefined ? undefined : (
            <>
              <Button
                icon={<RotateCcw aria-hidden="true" />}
                onClick={() => setAsked({ kind: 'reset' })}
              >
                Reset…
              </Button>
              <Button
                tone="primary"
                icon={<Camera aria-hidden="true" />}
                onClick={() => setSaving(true)}
              >
                Save snapshot
              </Button>
            </>
          )
        }
      />
      {isNotAvailable(snapshots.error) ? (
        <NotAvailable name="Snapshots" />
      ) : snapshots.error !== null && list === undefined ? (
        <Failed
          title="The snapshots could not be read"
          error={snapshots.error}
          retry={() => void snapshots.refetch()}
        />
      ) : list === undefined ? (
        <Loading label="Loading snapshots" lines={6} />
      ) : (
        <SheetLayout
          sheet={
            chosen === undefined ? undefined : (
              <SnapshotSheet
                key={chosen.name}
                snapshot={chosen}
                others={list.filter(({ name }) => name !== chosen.name)}
                comparedWith={other}
                onCompare={(next) => go({ open: chosen.name, with: next })}
                onRestore={() => setAsked({ kind: 'restore', name: chosen.name })}
                onDelete={() => setAsked({ kind: 'delete', name: chosen.name })}
                onClose={close}
              />
            )
          }
        >
          {list.length === 0 ? (
            <EmptyState
              icon={<Camera aria-hidden="true" />}
              title="No snapshots yet"
              detail="A snapshot holds every tenant, user, file and the clock. Save one before a test changes everything."
              action={<Button onClick={() => setSaving(true)}>Save snapshot</Button>}
            />
          ) : (
            <Timeline snapshots={list} open={open} onOpen={(name) => go({ open: name })} />
          )}
        </SheetLayout>
      )}
      {isSaving && list !== undefined ? (
        <SaveForm
          snapshots={list}
          onClose={() => setSaving(false)}
          onSaved={(name) => {
            setSaving(false)
            go({ open: name })
          }}
        />
      ) : undefined}
      <ConfirmAction action={asked} actions={actions} onClose={() => setAsked(undefined)} />
    </>
  )
}
