// Saves a bundle of the platform as a file, for another person. The screens of snapshots and requests show this dialog.
import type { ReactElement } from 'react'
import type { BundleOrder } from '../../emulator/contract/bundles.ts'
import { type BundleFile, makeBundle } from '../api/bundles.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { showToast } from '../ui/toast.tsx'
import { saveFile } from './save-file.ts'

export function BundleDialog(props: {
  /** The request at which the bundle opens. Default: the newest refused request. */
  readonly requestId?: string
  readonly onClose: () => void
}): ReactElement {
  const { requestId, onClose } = props
  const form = useForm({
    initial: { note: '', withState: true },
    read: ({ note, withState }) => ({
      kind: 'ready',
      order: orderOf(note.trim(), withState, requestId),
    }),
    send: makeBundle,
    onSent: (file) => {
      save(file)
      onClose()
    },
  })
  const { withState } = form.draft
  return (
    <Dialog title="Create bundle" isOpen onClose={onClose}>
      <Form
        form={form}
        action="Create bundle"
        failure="Could not create the bundle"
        onCancel={onClose}
      >
        <p className="text-ink-dim">
          One file with the last requests and, if you like, the whole state. “tenantry open” opens
          the file at {requestId === undefined ? 'the newest refused request' : 'this request'}.
        </p>
        <TextField {...form.field('note')} label="Note" placeholder="What is wrong?" />
        <Checkbox
          label="Include the state"
          isChecked={withState}
          onChange={(isChecked) => form.edit({ withState: isChecked })}
        />
        <p className="text-ink-dim">
          {withState
            ? 'The state contains the keys, users and rows of this emulator. Send the file only to people who may have them.'
            : 'Requests contain rows in their bodies. Passwords and credentials are masked.'}
        </p>
      </Form>
    </Dialog>
  )
}

function orderOf(note: string, withState: boolean, requestId: string | undefined): BundleOrder {
  return {
    with_state: withState,
    ...(note === '' ? {} : { note }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  }
}

function save({ content, name }: BundleFile): void {
  saveFile(name, content)
  showToast({ title: 'Bundle created', detail: name })
}
