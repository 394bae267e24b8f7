// The form that arms a fault: target, effect and frequency. The sheet also shows the equivalent API request.
import { Zap } from 'lucide-react'
import type { ReactElement } from 'react'
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import { armFault } from '../../api/faults.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { newDraft, orderOf, readDraft, settled } from './arm-draft.ts'
import { EffectFields, ScopeFields } from './arm-fields.tsx'
import { SameAsRequest } from './fault-sheet.tsx'
import { effectText, targetText } from './texts.ts'

export interface ArmSheetProps {
  readonly catalogue: FaultCatalogue
  readonly operation: string | undefined
  readonly code: string | undefined
  readonly onArmed: () => void
  readonly onClose: () => void
}

export function ArmSheet(props: ArmSheetProps): ReactElement {
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
    <Sheet title="New fault" label="New fault" name="arm-fault" width={440} onClose={onClose}>
      <Form
        form={form}
        label="New fault"
        action="Arm fault"
        icon={<Zap aria-hidden="true" />}
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
              hint="Disarms itself afterwards"
            />
            <TextField
              {...form.field('probability')}
              label="Probability"
              isMono
              hint="Number from 0 to 1"
            />
          </div>
        </Section>
      </Form>
      <SameAsRequest order={orderOf(catalogue, draft)} />
    </Sheet>
  )
}
