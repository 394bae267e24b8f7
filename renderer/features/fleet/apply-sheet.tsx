// Applies pending steps to the template and the selected tenants, canary tenants first, and shows the result of each.
import { ListChecks } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type { MigrationReport } from '../../../emulator/contract/migrations.ts'
import type { ProjectRehearsal } from '../../../emulator/contract/rehearsals.ts'
import { type ApplyOrder, applySteps, useLastRehearsals } from '../../api/fleet.ts'
import { AppliedResult } from '../../parts/rehearsal/apply-report.tsx'
import { Failure } from '../../parts/rehearsal/failure.tsx'
import { FixtureMisfit } from '../../parts/rehearsal/fixture-misfit.tsx'
import { Losses } from '../../parts/rehearsal/losses.tsx'
import { changesIn, covers, losesData } from '../../parts/rehearsal/rehearsed.ts'
import { VisibilityChanges } from '../../parts/visibility-changes.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useForm } from '../../ui/form.tsx'
import { optionsOf } from '../../ui/form-values.ts'
import { Select } from '../../ui/select.tsx'
import { CanaryChoice } from './canary-choice.tsx'
import { pendingSteps } from './fleet-model.ts'
import { readingOf, StepsSheet, type StepsSheetProps, targetsOf } from './steps-sheet.tsx'
import { applyLabel, HINTS, ON_FAILURE } from './texts.ts'

const STALE = [['fleet'], ['overview'], ['info'], ['tables'], ['settings']]
const INITIAL: Omit<ApplyOrder, 'tenants'> = { publish: false, canary: [], onFailure: 'continue' }

export function ApplySheet(props: StepsSheetProps): ReactElement {
  const { fleet, chosen, onClose } = props
  const rehearsed = useLastRehearsals(fleet.group.id).data?.projects
  const targets = targetsOf(chosen)
  const tenants = targets.map(({ slug }) => slug)
  const hasPending = pendingSteps(fleet, targets).length > 0
  const form = useForm({
    initial: INITIAL,
    read: ({ canary, ...draft }) =>
      hasPending
        ? readingOf(fleet, {
            ...draft,
            tenants,
            canary: canary.filter((slug) => tenants.includes(slug)),
          })
        : { kind: 'wrong', problems: {} },
    send: (order) => applySteps(fleet.group.id, order),
    stale: STALE,
  })
  const { canary, onFailure, publish } = form.draft
  return (
    <StepsSheet
      title="Apply steps"
      hint={HINTS.templateFirst}
      fleet={fleet}
      targets={targets}
      form={form}
      action={applyLabel(targets.length)}
      icon={<ListChecks />}
      failure="Could not apply the steps"
      onClose={onClose}
      showAnswer={(report) => <ApplyReport report={report} canary={canary} />}
    >
      {rehearsed !== undefined && hasPending && (
        <Rehearsed fleet={fleet} tenants={tenants} rehearsed={rehearsed} />
      )}
      <Checkbox
        label="Publish the template before the tenants get the steps"
        isChecked={publish}
        onChange={(isWanted) => form.edit({ publish: isWanted })}
      />
      {tenants.length > 1 && (
        <>
          <CanaryChoice
            tenants={tenants}
            canary={canary}
            onChange={(slugs) => form.edit({ canary: slugs })}
          />
          <Select
            label="When a tenant fails"
            hasPrefix
            value={onFailure}
            options={optionsOf(ON_FAILURE)}
            onChange={(choice) => form.edit({ onFailure: choice })}
          />
        </>
      )}
    </StepsSheet>
  )
}

function ApplyReport(props: {
  readonly report: MigrationReport
  readonly canary: readonly string[]
}): ReactElement {
  const { canary, report } = props
  const { ok, publish_error: publishError, published, template, tenants } = report
  return (
    <AppliedResult
      ok={ok}
      results={[template, ...tenants]}
      template={template.slug}
      canary={canary}
    >
      {published !== null && (
        <p>
          Published <code>{published}</code>.
        </p>
      )}
      <FixtureMisfit problem={report.fixture_problem} isApplied />
      {publishError !== null && <Failure slug="Publishing" failure={publishError} />}
    </AppliedResult>
  )
}

/** Shows again what the last rehearsal lost, and which identities gained or lost rows. */
function Rehearsed(props: {
  readonly fleet: Fleet
  readonly tenants: readonly string[]
  readonly rehearsed: readonly ProjectRehearsal[]
}): ReactElement | undefined {
  const { fleet, rehearsed, tenants } = props
  const slugs = new Set([...(fleet.template === null ? [] : [fleet.template.slug]), ...tenants])
  const isCovered = covers(rehearsed, slugs)
  const changes = changesIn(rehearsed, slugs)
  const losing = rehearsed.filter((project) => slugs.has(project.slug) && losesData(project))
  return (
    <>
      {losing.length > 0 && (
        <section
          aria-label="Losses"
          className="flex flex-col gap-2 rounded-2 border border-refused/40 bg-refused/8 p-3"
        >
          <p className="text-refused">{HINTS.losses}</p>
          <Losses projects={losing} />
        </section>
      )}
      {changes.length > 0 && (
        <section
          aria-label="Rows gained or lost"
          className="flex flex-col gap-2 rounded-2 border border-clock/40 bg-clock/10 p-3"
        >
          <p className="text-clock">{HINTS.visibility}</p>
          <VisibilityChanges changes={changes} />
        </section>
      )}
      {!isCovered && <p className="text-small text-ink-dim">{HINTS.notRehearsed}</p>}
    </>
  )
}
