// Dialogs that ask for confirmation. The user must type a name before an action that cannot be undone.
import { type ReactElement, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** The text describes what will happen. */
  readonly children: ReactNode
  /** Label of the button: verb and noun. */
  readonly action: string
  readonly tone?: 'primary' | 'danger'
  /** The name that the user must type, e.g. the tenant's slug. */
  readonly typed?: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <Question {...props} />
    </Dialog>
  )
}

// The state is inside the dialog, so that closing the dialog resets the typed name.
function Question(props: ConfirmDialogProps): ReactElement {
  const { typed: name = '', isBusy = false } = props
  const [typed, setTyped] = useState('')
  return (
    <Form
      form={{ isReady: typed === name, isSending: isBusy, submit: props.onConfirm }}
      action={props.action}
      tone={props.tone ?? 'danger'}
      onCancel={props.onClose}
    >
      <div className="text-ink-dim">{props.children}</div>
      {name !== '' && (
        <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} isMono />
      )}
    </Form>
  )
}
