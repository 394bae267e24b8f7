// Selects an identity: the owner, anon, service_role, a user, the identity of a recorded request, or custom claims.
import { Activity, Braces, Crown, Globe, KeyRound, UserRound } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import { useIdentities } from '../api/explain.ts'
import { useLive } from '../api/live.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { type IdentityKind, identityOf, identityOptions, OWNER } from './identity-choices.ts'
import { identityText, parseClaims } from './identity-text.ts'

const ICONS: Readonly<Record<IdentityKind, ReactElement>> = {
  owner: <Crown />,
  anon: <Globe />,
  service_role: <KeyRound />,
  user: <UserRound />,
  request: <Activity />,
  claims: <Braces />,
}

const NONE: readonly JournalEntry[] = []

export interface IdentityPickerProps {
  readonly tenant: string
  readonly label: string
  /** The button shows the label before the value. */
  readonly hasPrefix?: boolean
  /** The value `null` is the owner when `hasOwner` is true, else it means that no identity is selected yet. */
  readonly value: IdentityReference | null
  readonly hasOwner?: boolean
  readonly onChange: (identity: IdentityReference | null) => void
  readonly className?: string
}

export function IdentityPicker({
  tenant,
  label,
  hasPrefix = false,
  value,
  hasOwner = false,
  onChange,
  className = 'w-64',
}: IdentityPickerProps): ReactElement {
  const [hasOpened, setOpened] = useState(false)
  const choices = useIdentities(hasOpened ? tenant : '')
  const requests = useLive((snapshot) => (hasOpened ? snapshot.requests : NONE))
  const [isWriting, setWriting] = useState(false)
  const options = useMemo(() => {
    const own = requests.filter(({ schema_name }) => schema_name === `proj_${tenant}`)
    return identityOptions(choices.data, own, value, hasOwner).map((option) => ({
      ...option,
      icon: ICONS[option.kind],
    }))
  }, [choices.data, requests, value, hasOwner, tenant])
  return (
    <>
      <Combobox
        label={label}
        hasPrefix={hasPrefix}
        value={value === null ? (hasOwner ? OWNER : null) : identityText(value)}
        options={options}
        placeholder="Choose an identity"
        onChange={(next) => onChange(identityOf(next))}
        onOpen={() => setOpened(true)}
        className={className}
        foot={
          <Button size="small" icon={<Braces />} onClick={() => setWriting(true)}>
            Custom claims…
          </Button>
        }
      />
      <ClaimsDialog
        isOpen={isWriting}
        initial={value}
        onClose={() => setWriting(false)}
        onChoose={(identity) => {
          setWriting(false)
          onChange(identity)
        }}
      />
    </>
  )
}

type Role = Extract<IdentityReference, { readonly kind: 'claims' }>['role']

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'authenticated', label: 'authenticated' },
  { value: 'anon', label: 'anon' },
  { value: 'service_role', label: 'service_role' },
]
const EXAMPLE = '{\n  "sub": "00000000-0000-4000-8000-000000000000",\n  "aal": "aal2"\n}'

interface ClaimsDialogProps {
  readonly isOpen: boolean
  readonly initial: IdentityReference | null
  readonly onClose: () => void
  readonly onChoose: (identity: IdentityReference) => void
}

function ClaimsDialog(props: ClaimsDialogProps): ReactElement {
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
    <Form
      form={{
        isReady: claims !== undefined,
        submit: () => claims !== undefined && onChoose({ kind: 'claims', role, claims }),
      }}
      action="Use claims"
      onCancel={onClose}
    >
      <Select label="Role" hasPrefix value={role} options={ROLES} onChange={setRole} isMono />
      <TextField
        label="Claims, as in request.jwt.claims"
        value={text}
        onChange={setText}
        lines={9}
        isMono
        error={claims === undefined ? 'Enter a JSON object.' : undefined}
      />
    </Form>
  )
}
