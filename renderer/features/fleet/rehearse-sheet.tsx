// Rehearses pending steps on the template and the selected tenants, and shows what they would do to each.
import { FlaskConical } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { rehearseSteps } from '../../api/fleet.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Pending } from './pending.tsx'
import { RehearsalResult } from './rehearsal-result.tsx'
import { HINTS, rehearseLabel } from './texts.ts'

export function RehearseSheet(props: {
  readonly fleet: Fleet
  /** Selected tenants. */
  readonly chosen: readonly FleetTenant[]
  readonly onClose: () => void
}): ReactElement {
  const { fleet, chosen, onClose } = props
  const targets = chosen.filter(({ state }) => state !== 'deleted')
  const form = useForm({
    initial: {},
    read: () =>
      fleet.steps_given_at === null || fleet.template === null
        ? { kind: 'wrong', problems: {} }
        : { kind: 'ready', order: targets.map(({ slug }) => slug) },
    send: (tenants: readonly string[]) => rehearseSteps(fleet.group.id, tenants),
    stale: [['fleet']],
  })
  return (
    <Sheet title="Rehearse steps" label="Rehearse steps" name="fleet" onClose={onClose}>
      <p className="text-ink-dim">{HINTS.rehearsal}</p>
      <Pending fleet={fleet} targets={targets} />
      <Form
        form={form}
        action={rehearseLabel(targets.length)}
        icon={<FlaskConical />}
        failure="Could not rehearse the steps"
      >
        {undefined}
      </Form>
      {form.answer !== undefined && !form.isSending && (
        <RehearsalResult report={form.answer} fleet={fleet} />
      )}
    </Sheet>
  )
}
