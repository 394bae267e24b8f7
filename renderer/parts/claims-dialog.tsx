// An identity out of nothing but a role and claims.
import { type ReactElement, useState } from 'react'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { parseClaims } from './identity-text.ts'

type Role = Extract<IdentityReference, { readonly kind: 'claims' }>['role']

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'authenticated', label: 'authenticated' },
  { value: 'anon', label: 'anon' },
  { value: 'service_role', label: 'service_role' },
]
const EXAMPLE = '{\n  "sub": "00000000-0000-4000-8000-000000000000",\n  "aal": "aal2"\n}'

export interface ClaimsDialogProps {
  readonly isOpen: boolean
  readonly initial: IdentityReference | null
  readonly onClose: () => void
  readonly onChoose: (identity: IdentityReference) => void
}

export function ClaimsDialog(props: ClaimsDialogProps): ReactElement {
  return (
    <Dialog title="Custom claims" isOpen={props.isOpen} onClose={props.onClose}>
      <ClaimsForm {...props} />
    </Dialog>
  )
}

function ClaimsForm({ initial, onClose, onChoose }: ClaimsDialogProps): ReactElement {
  const before = initial?.kind === 'claims' ? initial : undefined
  const [role, setRole] = useState<Role>(before?.role ?? 'authenticated')
  const [text, setText] = useState(
    before === undefined ? EXAMPLE : JSON.stringify(before.claims, null, 2),
  )
  const claims = parseClaims(text)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (claims !== undefined) onChoose({ kind: 'claims', role, claims })
      }}
    >
      <Select label="Role" hasPrefix value={role} options={ROLES} onChange={setRole} isMono />
      <TextField
        label="Claims, as request.jwt.claims would hold them"
        value={text}
        onChange={setText}
        lines={9}
        isMono
        error={claims === undefined ? 'This is not a JSON object yet.' : undefined}
      />
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="primary" type="submit" disabled={claims === undefined}>
          Look through these eyes
        </Button>
      </div>
    </form>
  )
}
