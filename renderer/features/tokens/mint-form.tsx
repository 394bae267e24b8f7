// Mints any credential of a project: kind, who, claims and expiry, also one that is already past.
import { useMutation } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { mintToken } from '../../api/tokens.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ProjectChoice, UserChoice } from './mint-choices.tsx'
import {
  EXPIRIES,
  fieldsOf,
  MINT_KINDS,
  MINT_ROLES,
  type MintDraft,
  NEW_DRAFT,
  orderOf,
} from './mint-draft.ts'
import { TOKEN_KIND_WORDS } from './token-words.ts'

export interface MintFormProps {
  /** Preselected, by slug. */
  readonly project: string | undefined
  readonly user: string | undefined
  readonly onMinted: (token: string) => void
}

const KINDS = MINT_KINDS.map((kind) => ({ value: kind, label: TOKEN_KIND_WORDS[kind] }))
const ROLES = MINT_ROLES.map((role) => ({ value: role, label: role }))
const LIFETIMES = EXPIRIES.map(({ id, label }) => ({ value: id, label }))

export function MintForm({ project, user, onMinted }: MintFormProps): ReactElement {
  const current = useCurrentTenant()
  const [edited, setEdited] = useState<Partial<MintDraft>>({})
  const draft: MintDraft = {
    ...NEW_DRAFT,
    project: project ?? current ?? '',
    user: user ?? '',
    ...edited,
  }
  const edit = (members: Partial<MintDraft>) => setEdited({ ...edited, ...members })
  const made = orderOf(draft)
  const fields = fieldsOf(draft.kind)
  const mint = useMutation({
    mutationFn: mintToken,
    onSuccess: ({ token }) => onMinted(token),
  })
  const problemOf = (field: keyof MintDraft) =>
    made.kind === 'wrong' && made.field === field ? made.problem : undefined
  return (
    <form
      aria-label="Mint a credential"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (made.kind === 'ready') mint.mutate(made.order)
      }}
    >
      <h2 className="font-strong">Mint a credential</h2>
      <ProjectChoice value={draft.project} onChange={(slug) => edit({ project: slug, user: '' })} />
      <Select
        label="Kind"
        hasPrefix
        value={draft.kind}
        options={KINDS}
        onChange={(kind) => edit({ kind })}
      />
      {fields.role ? (
        <Select
          label="Role"
          hasPrefix
          isMono
          value={draft.role}
          options={ROLES}
          onChange={(role) => edit({ role })}
        />
      ) : undefined}
      {fields.user(draft.role) ? (
        <UserChoice
          project={draft.project}
          value={draft.user}
          onChange={(next) => edit({ user: next })}
        />
      ) : undefined}
      <TextField
        label="Further claims, as JSON"
        placeholder='{"aal": "aal2"}'
        isMono
        lines={4}
        value={draft.claims}
        error={problemOf('claims')}
        onChange={(claims) => edit({ claims })}
      />
      <Select
        label="Expires"
        hasPrefix
        value={draft.expiry}
        options={LIFETIMES}
        onChange={(expiry) => edit({ expiry })}
      />
      {draft.expiry === 'own' ? (
        <TextField
          label="Seconds from now; below zero is already past"
          isMono
          value={draft.ownExpiry}
          error={problemOf('ownExpiry')}
          onChange={(ownExpiry) => edit({ ownExpiry })}
        />
      ) : undefined}
      <Button
        type="submit"
        tone="primary"
        icon={<Stamp aria-hidden="true" />}
        isBusy={mint.isPending}
        disabled={made.kind === 'wrong'}
      >
        Mint
      </Button>
      {mint.error === null ? undefined : <Failed title="It was not minted" error={mint.error} />}
      {mint.data === undefined ? undefined : (
        <Section title="Minted">
          <Secret value={mint.data.token} label="minted credential" />
        </Section>
      )}
    </form>
  )
}
