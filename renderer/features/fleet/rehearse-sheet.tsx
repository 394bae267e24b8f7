// Rehearses pending steps on the template and the selected tenants, and shows what they would do to each.
import { FlaskConical } from 'lucide-react'
import type { ReactElement } from 'react'
import { rehearseSteps } from '../../api/fleet.ts'
import { useForm } from '../../ui/form.tsx'
import { RehearsalResult } from './rehearsal-result.tsx'
import { readingOf, StepsSheet, type StepsSheetProps, targetsOf } from './steps-sheet.tsx'
import { HINTS, rehearseLabel } from './texts.ts'

export function RehearseSheet({ fleet, chosen, onClose }: StepsSheetProps): ReactElement {
  const targets = targetsOf(chosen)
  const slugs = targets.map(({ slug }) => slug)
  const form = useForm({
    initial: {},
    read: () => readingOf(fleet, slugs),
    send: (tenants: readonly string[]) => rehearseSteps(fleet.group.id, tenants),
    stale: [['fleet']],
  })
  return (
    <StepsSheet
      title="Rehearse steps"
      hint={HINTS.rehearsal}
      fleet={fleet}
      targets={targets}
      form={form}
      action={rehearseLabel(targets.length)}
      icon={<FlaskConical />}
      failure="Could not rehearse the steps"
      onClose={onClose}
      showAnswer={(report) => <RehearsalResult report={report} />}
    />
  )
}
