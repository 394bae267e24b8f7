// The dialog that saves the platform's current state under a name.
import type { ReactElement } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { saveSnapshot } from '../../api/snapshots.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { nextName, readDraft } from './snapshot-draft.ts'

export function SaveDialog(props: {
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
