// Asks for the admin token when the emulator was started with one.
import { type ReactElement, useState, useSyncExternalStore } from 'react'
import { adminTokenState, onAdminToken, setAdminToken } from '../api/admin-token.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'

export function AdminTokenPrompt(): ReactElement {
  const { isWanted, token } = useSyncExternalStore(onAdminToken, adminTokenState)
  const [typed, setTyped] = useState('')
  return (
    <Dialog title="Admin token" isOpen={isWanted} isFirm onClose={() => {}}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed !== '') setAdminToken(typed)
        }}
      >
        <p className="text-ink-dim">
          This emulator was started with --admin-token. This tab keeps the token until it closes.
        </p>
        <TextField
          label="Admin token"
          kind="password"
          value={typed}
          onChange={setTyped}
          error={token === undefined ? undefined : 'The emulator did not accept that token.'}
          isMono
        />
        <div className="flex justify-end">
          <Button tone="primary" type="submit" disabled={typed === ''}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
