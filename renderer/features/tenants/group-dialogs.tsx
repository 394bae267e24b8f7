// What asks before it happens to a group: publishing its template, another name.
import { type ReactElement, type ReactNode, useState } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { GroupActions } from './use-group-actions.ts'

interface GroupDialogProps {
  readonly group: GroupOverview
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function PublishDialog({
  group,
  actions,
  isOpen,
  onClose,
}: GroupDialogProps & { readonly actions: GroupActions }): ReactElement {
  return (
    <Dialog title="Publish a template version" isOpen={isOpen} onClose={onClose}>
      <AskForm
        action="Publish"
        onClose={onClose}
        onConfirm={() => {
          actions.publish.mutate()
          onClose()
        }}
      >
        The structure of the source is copied into a new, frozen template
        {group.template === null ? '' : ` after ${group.template.slug}`}. Tenants provisioned from
        then on are made from it; existing ones stay as they are and show as behind.
      </AskForm>
    </Dialog>
  )
}

export function RenameDialog({
  group,
  actions,
  isOpen,
  onClose,
}: GroupDialogProps & { readonly actions: GroupActions }): ReactElement {
  const [name, setName] = useState(group.name)
  return (
    <Dialog title="Rename the group" isOpen={isOpen} onClose={onClose}>
      <AskForm
        action="Rename"
        isReady={name.trim() !== '' && name !== group.name}
        onClose={onClose}
        onConfirm={() => {
          actions.rename.mutate(name.trim())
          onClose()
        }}
      >
        <TextField label="Name" value={name} onChange={setName} />
      </AskForm>
    </Dialog>
  )
}

export interface AskFormProps {
  readonly children: ReactNode
  /** The verb on the button. */
  readonly action: string
  readonly tone?: 'primary' | 'danger'
  readonly isReady?: boolean
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A question with its two answers. */
export function AskForm({
  children,
  action,
  tone = 'primary',
  isReady = true,
  isBusy = false,
  onConfirm,
  onClose,
}: AskFormProps): ReactElement {
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onConfirm()
      }}
    >
      <div className="text-ink-dim">{children}</div>
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone={tone} type="submit" disabled={!isReady} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
