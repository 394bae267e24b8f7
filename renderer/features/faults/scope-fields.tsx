// Which requests a fault meets.
import type { ReactElement, ReactNode } from 'react'
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { useProjects } from '../../api/info.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ANY, type ArmDraft } from './arm-draft.ts'
import { SERVICE_NAMES, SERVICES } from './fault-words.ts'

export interface DraftProps {
  readonly catalogue: FaultCatalogue
  readonly draft: ArmDraft
  readonly onChange: (change: Partial<ArmDraft>) => void
}

const ROLES = [ANY, 'anon', 'authenticated', 'service_role'] as const

export function ScopeFields({ catalogue, draft, onChange }: DraftProps): ReactElement {
  const { data: projects = [] } = useProjects()
  const chosen = catalogue.operations.find(({ operation }) => operation === draft.operation)
  return (
    <Section title="What it meets">
      <Field label="Operation">
        <Combobox
          label="Operation"
          value={draft.operation}
          isMono
          className="w-full"
          options={[
            { value: ANY, label: 'any operation' },
            ...catalogue.operations.map(({ service, operation, title }) => ({
              value: operation,
              label: operation,
              detail: title,
              group: SERVICE_NAMES[service],
            })),
          ]}
          onChange={(operation) => onChange({ operation })}
        />
      </Field>
      {chosen === undefined ? (
        <Field label="Service">
          <Select
            label="Service"
            value={draft.service}
            options={[
              { value: ANY, label: 'any service' },
              ...SERVICES.map((value) => ({ value, label: SERVICE_NAMES[value] })),
            ]}
            onChange={(service) => onChange({ service })}
          />
        </Field>
      ) : (
        <p className="text-ink-dim">
          {chosen.title}
          {chosen.route === null ? '' : ': '}
          {chosen.route === null ? undefined : <code className="break-all">{chosen.route}</code>}
        </p>
      )}
      <Field label="Tenant">
        <Combobox
          label="Only for tenant"
          value={draft.project}
          isMono
          className="w-full"
          options={[
            { value: ANY, label: 'any tenant' },
            ...projects.map(({ slug, kind }) => ({ value: slug, label: slug, detail: kind })),
          ]}
          onChange={(project) => onChange({ project })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <Field label="Role">
          <Select
            label="Only for role"
            value={draft.role}
            options={ROLES.map((value) => ({ value, label: value === ANY ? 'any role' : value }))}
            onChange={(role) => onChange({ role })}
          />
        </Field>
        <TextField
          label="User"
          value={draft.subject}
          onChange={(subject) => onChange({ subject })}
          isMono
          placeholder="id or e-mail"
        />
      </div>
    </Section>
  )
}

/** A label over a control that brings its own name. */
export function Field({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-small text-ink-dim">
        {label}
      </span>
      {children}
    </div>
  )
}
