// The form that arms a fault: target, effect and frequency. The sheet also shows the equivalent API request.

import { Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import { ROLES } from '../../../emulator/contract/choices.ts'
import type { ArmedFault, FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { armFault } from '../../api/faults.ts'
import { useProjects } from '../../api/info.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Form, FormField, type FormState, useForm } from '../../ui/form.tsx'
import { optionsOf, plainOptionsOf } from '../../ui/form-values.ts'
import { Select } from '../../ui/select.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  ANY,
  type ArmDraft,
  codesOf,
  effectsOf,
  hasMillis,
  newDraft,
  orderOf,
  readDraft,
  settled,
} from './arm-draft.ts'
import { FaultPreviewText } from './fault-preview.tsx'
import { SameAsRequest } from './fault-sheet.tsx'
import { EFFECTS, effectText, SERVICE_NAMES, targetText } from './texts.ts'

export function ArmSheet(props: {
  readonly catalogue: FaultCatalogue
  readonly operation: string | undefined
  readonly code: string | undefined
  readonly onArmed: () => void
  readonly onClose: () => void
}): ReactElement {
  const { catalogue, operation, code, onArmed, onClose } = props
  const form = useForm({
    initial: newDraft(catalogue, operation, code),
    read: (edited) => readDraft(catalogue, settled(catalogue, edited)),
    send: armFault,
    stale: [['faults']],
    onSent: ({ scope, effect }) => {
      showToast({ title: 'Fault armed', detail: `${targetText(scope)}: ${effectText(effect)}` })
      onArmed()
    },
  })
  const draft = settled(catalogue, form.draft)
  return (
    <Sheet
      title="New fault"
      label="New fault"
      name="arm-fault"
      width={440}
      isForm
      onClose={onClose}
    >
      <Form
        form={form}
        label="New fault"
        action="Arm fault"
        icon={<Zap />}
        failure="Could not arm the fault"
      >
        <ScopeFields catalogue={catalogue} draft={draft} form={form} />
        <EffectFields catalogue={catalogue} draft={draft} form={form} />
        <Section title="Frequency">
          <div className="grid grid-cols-2 gap-2">
            <TextField
              {...form.field('count')}
              label="Times"
              isMono
              placeholder="unlimited"
              hint="The fault disarms itself after firing this often"
            />
            <TextField
              {...form.field('probability')}
              label="Probability"
              isMono
              hint="Number from 0 to 1"
            />
          </div>
        </Section>
        <FaultPreviewText reading={readDraft(catalogue, draft)} />
      </Form>
      <SameAsRequest order={orderOf(catalogue, draft)} />
    </Sheet>
  )
}

interface ArmFieldsProps {
  readonly catalogue: FaultCatalogue
  readonly draft: ArmDraft
  readonly form: FormState<ArmDraft, ArmedFault>
}

const SERVICES = optionsOf({ [ANY]: 'any service', ...SERVICE_NAMES })
const ROLE_OPTIONS = [{ value: ANY, label: 'any role' } as const, ...plainOptionsOf(ROLES)]

function ScopeFields({ catalogue, draft, form }: ArmFieldsProps): ReactElement {
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
          {chosen.route !== null && (
            <>
              :{' '}
              <code className="break-words">
                <Breakable text={chosen.route} />
              </code>
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

function EffectFields({ catalogue, draft, form }: ArmFieldsProps): ReactElement {
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
      {draft.effect === 'error' && <CodeField catalogue={catalogue} draft={draft} form={form} />}
      {hasMillis(draft) ? (
        <div className="grid grid-cols-2 gap-2">
          <TextField {...form.field('ms')} label="Delay, ms" isMono />
          {draft.effect === 'latency' && (
            <TextField {...form.field('jitter')} label="Jitter, ± ms" isMono placeholder="none" />
          )}
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
      {error !== undefined && <p className="text-small text-refused">{error}</p>}
      {chosen !== undefined && (
        <p className="flex items-start gap-2 text-ink-dim">
          <HttpStatus status={chosen.status} />
          <span className="min-w-0 break-words">{chosen.sentence}</span>
        </p>
      )}
    </FormField>
  )
}
