// Lists the steps that the template or the selected tenants lack.
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { Section } from '../../ui/sheet.tsx'
import { pendingSteps } from './fleet-model.ts'
import { pendingText } from './texts.ts'

export function Pending(props: {
  readonly fleet: Fleet
  readonly targets: readonly FleetTenant[]
}): ReactElement {
  const { fleet, targets } = props
  const pending = pendingSteps(fleet, targets)
  return (
    <Section title="Pending steps">
      {pending.length === 0 ? (
        <p className="text-ink-dim">None. The template and the selected tenants have all steps.</p>
      ) : (
        <ul aria-label="Pending steps" className="rounded-2 border bg-surface-0">
          {pending.map(({ inTemplate, name, tenants, version }) => (
            <li key={version} className="border-b px-3 py-1 last:border-b-0">
              {pendingText(name, tenants, inTemplate)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
