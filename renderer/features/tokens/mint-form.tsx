// Mints a credential of a project, with kind, role, user, claims and expiry. The expiry may be in the past.
import { Stamp } from 'lucide-react'
import type { ReactElement } from 'react'
import { ROLES } from '../../../emulator/contract/choices.ts'
import { useIdentities } from '../../api/explain.ts'
import { useProjects } from '../../api/info.ts'
import { mintToken } from '../../api/tokens.ts'
import { useActingAs } from '../../parts/acting-as.ts'
import { useCurrentTenant } from '../../parts/current-tenant.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { optionsOf, plainOptionsOf } from '../../ui/form-values.ts'
import { Secret } from '../../ui/secret.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EXPIRY_OPTIONS, hasField, NEW_DRAFT, readDraft } from './mint-draft.ts'
import { MINT_KINDS } from './texts.ts'

export interface MintFormProps {
  /** Slug of the project that the form preselects. */
  readonly project: string | undefined
  readonly user: string | undefined
  readonly onMinted: (token: string) => void
}

export function MintForm({ project, user, onMinted }: MintFormProps): ReactElement {
  const current = useCurrentTenant()
  const { identity } = useActingAs()
  const acting = identity?.kind === 'user' && project === undefined ? identity.user : undefined
  const form = useForm({
    initial: { ...NEW_DRAFT, project: project ?? current ?? '', user: user ?? acting ?? '' },
    read: readDraft,
    send: mintToken,
    onSent: ({ token }) => onMinted(token),
  })
  const { draft, field } = form
  return (
    <>
      <h2 className="pb-4 font-strong">New credential</h2>
      <Form
        form={form}
        label="New credential"
        action="Mint credential"
        icon={<Stamp />}
        failure="Could not mint the credential"
      >
        <ProjectChoice
          value={draft.project}
          onChange={(slug) => form.edit({ project: slug, user: '' })}
        />
        <Select {...field('kind')} label="Kind" hasPrefix options={optionsOf(MINT_KINDS)} />
        {hasField(draft, 'role') ? (
          <Select
            {...field('role')}
            label="Role"
            hasPrefix
            isMono
            options={plainOptionsOf(ROLES)}
          />
        ) : undefined}
        {hasField(draft, 'user') ? (
          <UserChoice project={draft.project} {...field('user')} />
        ) : undefined}
        <TextField
          {...field('claims')}
          label="Additional claims, as JSON"
          placeholder='{"aal": "aal2"}'
          isMono
          lines={4}
        />
        <Select {...field('expiry')} label="Expires" hasPrefix options={EXPIRY_OPTIONS} />
        {draft.expiry === 'own' && (
          <TextField {...field('ownExpiry')} label="Seconds from now" isMono />
        )}
      </Form>
      {form.answer !== undefined && (
        <div className="pt-4">
          <Section title="Minted credential">
            <Secret value={form.answer.token} label="minted credential" />
          </Section>
        </div>
      )}
    </>
  )
}

interface ChoiceProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function ProjectChoice({ value, onChange }: ChoiceProps): ReactElement {
  const { data: projects = [] } = useProjects()
  return (
    <Combobox
      label="Project"
      hasPrefix
      value={value === '' ? null : value}
      placeholder="Choose a project"
      options={projects.map(({ slug, kind, groupName }) => ({
        value: slug,
        label: slug,
        detail: kind,
        group: groupName,
      }))}
      onChange={onChange}
    />
  )
}

function UserChoice(props: ChoiceProps & { readonly project: string }): ReactElement {
  const { project, value, onChange } = props
  const { data } = useIdentities(project)
  const users = (data?.identities ?? []).flatMap(({ reference, label }) =>
    reference.kind === 'user' ? [{ value: label, label }] : [],
  )
  return (
    <div className="flex flex-col gap-2">
      <Combobox
        label="User"
        hasPrefix
        placeholder="Choose a user"
        value={users.some((user) => user.value === value) ? value : null}
        options={users}
        onChange={onChange}
      />
      <TextField
        label="or an ID or e-mail address; empty for a new ID"
        isMono
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
