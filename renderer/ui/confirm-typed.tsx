// Asks to type a name before something is done that cannot be undone.
import { type ReactElement, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmTypedProps {
  readonly isOpen: boolean
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** What has to be typed, e.g. the tenant's slug. */
  readonly name: string
  /** The verb on the button: "Purge". */
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
