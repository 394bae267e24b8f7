// Through whose eyes: the owner, anon, service, a person, whoever made a request, or anyone as their claims say.
import { Activity, Braces, Crown, Globe, KeyRound, UserRound } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import { useIdentities } from '../api/explain.ts'
import { useLive } from '../api/live.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { ClaimsDialog } from './claims-dialog.tsx'
import { type IdentityKind, identityOf, identityOptions, OWNER } from './identity-choices.ts'
import { identityText } from './identity-text.ts'

const ICONS: Readonly<Record<IdentityKind, ReactElement>> = {
  owner: <Crown aria-hidden="true" />,
  anon: <Globe aria-hidden="true" />,
  service_role: <KeyRound aria-hidden="true" />,
  user: <UserRound aria-hidden="true" />,
  request: <Activity aria-hidden="true" />,
  claims: <Braces aria-hidden="true" />,
}

export interface IdentityPickerProps {
  readonly tenant: string
  readonly label: string
  /** The label stands before the value, inside the button. */
  readonly hasPrefix?: boolean
  /** `null` is the owner, or nobody yet where the owner is no choice. */
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
  const choices = useIdentities(tenant)
  const requests = useLive((snapshot) => snapshot.requests)
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
        className={className}
        foot={
          <Button
            size="small"
            icon={<Braces aria-hidden="true" />}
            onClick={() => setWriting(true)}
          >
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
