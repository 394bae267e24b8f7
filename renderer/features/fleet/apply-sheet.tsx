// Applies pending steps to the template and the selected tenants, and shows the result of each.
import { ListChecks } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { applySteps } from '../../api/fleet.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ApplyReport } from './apply-report.tsx'
import { Pending } from './pending.tsx'
import { applyLabel, HINTS } from './texts.ts'

const STALE = [['fleet'], ['overview'], ['info'], ['tables'], ['settings']]

export function ApplySheet(props: {
  readonly fleet: Fleet
  /** Selected tenants. */
  readonly chosen: readonly FleetTenant[]
  readonly onClose: () => void
}): ReactElement {
  const { fleet, chosen, onClose } = props
  const targets = chosen.filter(({ state }) => state !== 'deleted')
  const form = useForm({
    initial: { publish: false, stopsAtFailure: false },
    read: (draft) =>
      fleet.steps_given_at === null || fleet.template === null
        ? { kind: 'wrong', problems: {} }
        : { kind: 'ready', order: { ...draft, tenants: targets.map(({ slug }) => slug) } },
    send: (order) => applySteps(fleet.group.id, order),
    stale: STALE,
  })
  return (
    <Sheet title="Apply steps" label="Apply steps" name="fleet" onClose={onClose}>
      <p className="text-ink-dim">{HINTS.templateFirst}</p>
      <Pending fleet={fleet} targets={targets} />
      <Form
        form={form}
        action={applyLabel(targets.length)}
        icon={<ListChecks />}
        failure="Could not apply the steps"
      >
        <Checkbox
          label="Publish the template before the tenants"
          isChecked={form.draft.publish}
          onChange={(publish) => form.edit({ publish })}
        />
        <Checkbox
          label="Stop at the first tenant that fails"
          isChecked={form.draft.stopsAtFailure}
          onChange={(stopsAtFailure) => form.edit({ stopsAtFailure })}
        />
      </Form>
      {form.answer !== undefined && !form.isSending && <ApplyReport report={form.answer} />}
    </Sheet>
  )
}
