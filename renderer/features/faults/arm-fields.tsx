// The form fields of a fault, for the requests that it affects and its effect on these requests.
import type { ReactElement } from 'react'
import { ROLES } from '../../../emulator/contract/choices.ts'
import type { ArmedFault, FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { useProjects } from '../../api/info.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { FormField, type FormState } from '../../ui/form.tsx'
import { optionsOf, plainOptionsOf } from '../../ui/form-values.ts'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ANY, type ArmDraft, codesOf, effectsOf, hasMillis } from './arm-draft.ts'
import { EFFECTS, SERVICE_NAMES } from './texts.ts'

export interface ArmFieldsProps {
  readonly catalogue: FaultCatalogue
  readonly draft: ArmDraft
  readonly form: FormState<ArmDraft, ArmedFault>
}

const SERVICES = optionsOf({ [ANY]: 'any service', ...SERVICE_NAMES })
const ROLE_OPTIONS = [{ value: ANY, label: 'any role' } as const, ...plainOptionsOf(ROLES)]

export function ScopeFields({ catalogue, draft, form }: ArmFieldsProps): ReactElement {
  const { data: projects = [] } = useProjects()
  const chosen = catalogue.operations.find(({ operation }) => operation === draft.operation)
  return (
    <Section title="Target">
      <FormField label="Operation">
        <Combobox
          {...form.field('operation')}
          label="Operation"
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
        />
      </FormField>
      {chosen === undefined ? (
        <FormField label="Service">
          <Select {...form.field('service')} label="Service" options={SERVICES} />
        </FormField>
      ) : (
        <p className="text-ink-dim">
          {chosen.title}
          {chosen.route === null ? undefined : (
            <>
              : <code className="break-all">{chosen.route}</code>
            </>
          )}
        </p>
      )}
      <FormField label="Tenant">
        <Combobox
          {...form.field('project')}
          label="Tenant"
          isMono
          className="w-full"
          options={[
            { value: ANY, label: 'any tenant' },
            ...projects.map(({ slug, kind }) => ({ value: slug, label: slug, detail: kind })),
          ]}
        />
      </FormField>
      <div className="grid grid-cols-2 gap-2">
        <FormField label="Role">
          <Select {...form.field('role')} label="Role" options={ROLE_OPTIONS} />
        </FormField>
        <TextField
          {...form.field('subject')}
          label="User"
          isMono
          placeholder="ID or e-mail address"
        />
      </div>
    </Section>
  )
}

export function EffectFields({ catalogue, draft, form }: ArmFieldsProps): ReactElement {
  return (
    <Section title="Effect">
      <Select
        {...form.field('effect')}
        label="Effect"
        value={draft.effect}
        options={effectsOf(catalogue, draft).map((value) => ({
          value,
          label: EFFECTS[value].name,
        }))}
      />
      <p className="text-ink-dim">{EFFECTS[draft.effect].detail}</p>
      {draft.effect === 'error' ? (
        <CodeField catalogue={catalogue} draft={draft} form={form} />
      ) : undefined}
      {hasMillis(draft) ? (
        <div className="grid grid-cols-2 gap-2">
          <TextField {...form.field('ms')} label="Delay, ms" isMono />
          {draft.effect === 'latency' ? (
            <TextField {...form.field('jitter')} label="Jitter, ± ms" isMono placeholder="none" />
          ) : undefined}
        </div>
      ) : undefined}
    </Section>
  )
}

function CodeField({ catalogue, draft, form }: ArmFieldsProps): ReactElement {
  const codes = codesOf(catalogue, draft)
  const chosen = codes.find(({ code }) => code === draft.code)
  const { error, onChange } = form.field('code')
  return (
    <FormField label="Code">
      <Combobox
        label="Code"
        value={draft.code}
        isMono
        className="w-full"
        placeholder="No codes"
        options={codes.map(({ code, status }) => ({
          value: code,
          label: code,
          detail: String(status),
        }))}
        onChange={onChange}
      />
      {error === undefined ? undefined : <p className="text-small text-refused">{error}</p>}
      {chosen === undefined ? undefined : (
        <p className="flex items-start gap-2 text-ink-dim">
          <HttpStatus status={chosen.status} />
          <span className="min-w-0 break-words">{chosen.sentence}</span>
        </p>
      )}
    </FormField>
  )
}
