// Shows pending steps of a tenant, and its differences from a newer version. Says for both what the user can do.
import { ListChecks } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant, FleetVersion } from '../../../emulator/contract/fleet.ts'
import { useStructureDiff } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Button } from '../../ui/button.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Section } from '../../ui/sheet.tsx'
import { FromChanges } from './commands.tsx'
import { isOnOlderVersion } from './fleet-model.ts'
import { HINTS, olderVersionText } from './texts.ts'

export function NextSteps(props: {
  readonly fleet: Fleet
  readonly tenant: FleetTenant
  readonly onApply: () => void
}): ReactElement | undefined {
  const { fleet, tenant, onApply } = props
  const pending = tenant.facts.steps.pending ?? 0
  const newest = isOnOlderVersion(fleet, tenant) ? fleet.versions.at(-1) : undefined
  if (pending === 0 && newest === undefined) return undefined
  return (
    <>
      {newest !== undefined && <FromVersion fleet={fleet} tenant={tenant} newest={newest} />}
      {pending > 0 && (
        <Button icon={<ListChecks />} onClick={onApply}>
          Apply {countOf(pending, 'step')} to {tenant.slug}…
        </Button>
      )}
    </>
  )
}

function FromVersion(props: {
  readonly fleet: Fleet
  readonly tenant: FleetTenant
  readonly newest: FleetVersion
}): ReactElement {
  const { fleet, newest, tenant } = props
  const hasPending = (tenant.facts.steps.pending ?? 0) > 0
  return (
    <Section title={`Differences from ${newest.slug}, the newest version`}>
      <p className="text-small text-ink-dim">
        {olderVersionText(tenant.template_version ?? 1, newest.slug)}
      </p>
      <Loaded query={useStructureDiff(tenant.slug, newest.slug)} what="the differences" lines={3}>
        {({ differences }) => (
          <>
            <StructureDifferences
              differences={differences}
              project={tenant.slug}
              other={newest.slug}
            />
            {differences.length > 0 && (
              <p className="text-small">
                {hasPending ? HINTS.applyPending : HINTS.noPendingForVersion}
              </p>
            )}
            {differences.length > 0 && !hasPending && <FromChanges group={fleet.group.name} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}
