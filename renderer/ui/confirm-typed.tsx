// Asks to type a name before an action that cannot be undone.
import { type ReactElement, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmTypedProps {
  readonly isOpen: boolean
  readonly title: string
  /** The consequences of the action. */
  readonly children: ReactNode
  /** The text to type, such as the tenant's slug. */
  readonly name: string
  /** The label of the button: "Purge tenant". */
  readonly action: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmTyped(props: ConfirmTypedProps): ReactElement {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

function ConfirmForm({
  children,
  name,
  action,
  isBusy = false,
  onConfirm,
  onClose,
}: ConfirmTypedProps): ReactElement {
  const [typed, setTyped] = useState('')
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === name) onConfirm()
      }}
    >
      <div className="text-ink-dim">{children}</div>
      <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} isMono />
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="danger" type="submit" disabled={typed !== name} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
