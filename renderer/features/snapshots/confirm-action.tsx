// Asks before the platform goes back, or a snapshot goes.
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { SnapshotAction, SnapshotActions } from './use-snapshot-actions.ts'

export function ConfirmAction({
  action,
  actions,
  onClose,
}: {
  readonly action: SnapshotAction | undefined
  readonly actions: SnapshotActions
  readonly onClose: () => void
}): ReactElement {
  const words = wordsOf(action)
  return (
    <Dialog title={words.title} isOpen={action !== undefined} onClose={onClose}>
      <p className="pb-4 text-ink-dim">{words.detail}</p>
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          tone="danger"
          isBusy={actions.isBusy}
          onClick={() => action !== undefined && actions.run(action)}
        >
          {words.verb}
        </Button>
      </div>
    </Dialog>
  )
}

function wordsOf(action: SnapshotAction | undefined): {
  readonly title: string
  readonly detail: string
  readonly verb: string
} {
  switch (action?.kind) {
    case 'restore':
      return {
        title: `Restore ${action.name}?`,
        detail:
          'Every tenant, user, file and the clock go back to it. What happened since is lost unless you save a snapshot first.',
        verb: 'Restore',
      }
    case 'delete':
      return {
        title: `Delete ${action.name}?`,
        detail: 'The running platform is not touched.',
        verb: 'Delete',
      }
    default:
      return {
        title: 'Reset the platform?',
        detail: 'Everything goes back to the state after the last fixture, or to an empty start.',
        verb: 'Reset',
      }
  }
}
