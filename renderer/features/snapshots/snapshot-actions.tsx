// Restores or deletes a snapshot, or resets the platform. Each action asks for confirmation first.
import type { ReactElement } from 'react'
import { deleteSnapshot, resetPlatform, restoreSnapshot } from '../../api/snapshots.ts'
import { useAction } from '../../ui/form-action.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { CONFIRM, resetText } from './texts.ts'

export type SnapshotAction =
  | { readonly kind: 'restore' | 'delete'; readonly name: string }
  | { readonly kind: 'reset' | 'reseed' }

const BUTTONS: Readonly<Record<SnapshotAction['kind'], string>> = {
  restore: 'Restore snapshot',
  delete: 'Delete snapshot',
  reset: 'Reset platform',
  reseed: 'Reset platform to fixture',
}

export function ConfirmAction(props: {
  /** The action to confirm. The dialog is closed while the action is `undefined`. */
  readonly action: SnapshotAction | undefined
  readonly onDone: (action: SnapshotAction) => void
  readonly onClose: () => void
}): ReactElement {
  const { action, onDone, onClose } = props
  const kind = action?.kind ?? 'reset'
  const run = useAction<SnapshotAction, string>({
    work: perform,
    // Restoring and resetting change the data of every screen, so all queries reload.
    stale: kind === 'delete' ? [['snapshots']] : [[]],
    done: (title) => ({ title }),
    onDone: (_title, done) => onDone(done),
    failure: `Could not ${BUTTONS[kind].toLowerCase()}`,
  })
  const name = action !== undefined && 'name' in action ? ` ${action.name}` : ''
  return (
    <ConfirmDialog
      isOpen={action !== undefined}
      title={`${BUTTONS[kind]}${name}`}
      action={BUTTONS[kind]}
      isBusy={run.isPending}
      onConfirm={() => action !== undefined && run.mutate(action)}
      onClose={onClose}
    >
      {CONFIRM[kind]}
    </ConfirmDialog>
  )
}

async function perform(action: SnapshotAction): Promise<string> {
  switch (action.kind) {
    case 'restore':
      await restoreSnapshot(action.name)
      return `Restored ${action.name}`
    case 'delete':
      await deleteSnapshot(action.name)
      return `Deleted ${action.name}`
    case 'reset':
    case 'reseed': {
      const to = action.kind === 'reset' ? 'start' : 'fixture'
      const { duration_ms: millis, tenants_reset: tenants } = await resetPlatform(to)
      return resetText(tenants, millis)
    }
  }
}
