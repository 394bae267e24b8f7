// Rehearses pending steps on the template and the selected tenants, or on all tenants. Shows what they would do to each.
import { FlaskConical } from 'lucide-react'
import type { ReactElement } from 'react'
import { rehearseSteps } from '../../api/fleet.ts'
import { RehearsalResult } from '../../parts/rehearsal/rehearsal-result.tsx'
import { useForm } from '../../ui/form.tsx'
import { activeTenants } from './fleet-model.ts'
import { readingOf, StepsSheet, type StepsSheetProps, targetsOf } from './steps-sheet.tsx'
import { HINTS, rehearseLabel } from './texts.ts'

export function RehearseSheet(props: StepsSheetProps): ReactElement {
  const { fleet, chosen, onClose } = props
  const selected = targetsOf(chosen)
  // Rehearses all tenants when the user has selected none.
  const targets = selected.length === 0 ? activeTenants(fleet) : selected
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
      action={rehearseLabel(selected.length, activeTenants(fleet).length)}
      icon={<FlaskConical />}
      failure="Could not rehearse the steps"
      onClose={onClose}
      showAnswer={({ template, tenants, ...report }) => (
        <RehearsalResult
          report={{ ...report, projects: [template, ...tenants] }}
          template={template.slug}
        />
      )}
    />
  )
}
