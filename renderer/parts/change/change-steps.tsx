// The steps of a change: trial, rehearsal and application. The trial runs when the sheet opens; the user starts the other two.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, ListChecks } from 'lucide-react'
import type { ReactElement } from 'react'
import type {
  AppliedChange,
  ChangeOrder,
  ChangeRehearsal,
} from '../../../emulator/contract/changes.ts'
import { applyChange, rehearseChange, useChangeTrial } from '../../api/changes.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Section } from '../../ui/sheet.tsx'
import { useActingAs } from '../acting-as.ts'
import { Loaded } from '../loaded.tsx'
import { Failure } from '../rehearsal/failure.tsx'
import { Losses } from '../rehearsal/losses.tsx'
import { RehearsalList, RehearsalResult } from '../rehearsal/rehearsal-result.tsx'
import { changesIn } from '../rehearsal/rehearsed.ts'
import { VisibilityChanges } from '../visibility-changes.tsx'
import { type ChangeReach, type ChangeSheetProps, lostRows } from './change-model.ts'
import { ChangeUndone } from './change-undo.tsx'
import { TEXTS } from './texts.ts'

interface StepsProps
  extends Pick<ChangeSheetProps, 'onApplied' | 'recordedIn' | 'tenant' | 'title'> {
  readonly sql: string
  readonly reach: ChangeReach
}

export function ChangeSteps(props: StepsProps): ReactElement {
  const { onApplied, reach, recordedIn, sql, tenant, title } = props
  const queries = useQueryClient()
  const { identity } = useActingAs()
  const asUser = identity?.kind === 'user' ? { identity } : {}
  const order: ChangeOrder = {
    title,
    sql,
    reach: reach.kind,
    recorded_in: recordedIn === undefined ? [] : [recordedIn],
  }
  const rehearsal = useMutation({ mutationFn: () => rehearseChange(tenant, order) })
  const application = useMutation({
    mutationFn: () => applyChange(tenant, order),
    onSuccess: ({ snapshot }) => {
      if (snapshot !== null) onApplied?.()
      void queries.invalidateQueries({ predicate: isOfOthers })
    },
  })
  const isApplied = application.isSuccess && application.data.snapshot !== null
  const trial = useChangeTrial(
    tenant,
    isApplied ? undefined : { title, sql, reach: 'project', ...asUser },
  )
  const known = reach.kind === 'all' ? rehearsal.data : trial.data
  if (isApplied)
    return (
      <ChangeUndone
        tenant={tenant}
        applied={application.data}
        template={reach.kind === 'all' ? reach.template : undefined}
      />
    )
  return (
    <>
      <Section title={TEXTS.trial(tenant)}>
        <Loaded query={trial} what="the effect" lines={2}>
          {(report) => <Trial report={report} />}
        </Loaded>
      </Section>
      {reach.kind === 'all' && (
        <Rehearsal
          reach={reach}
          report={rehearsal.data}
          error={rehearsal.error}
          isBusy={rehearsal.isPending}
          isReady={trial.data?.ok === true}
          onRehearse={() => rehearsal.mutate()}
        />
      )}
      <Apply
        reach={reach}
        rehearsal={known}
        isBusy={application.isPending}
        error={application.error}
        failed={application.data}
        onApply={() => application.mutate()}
      />
    </>
  )
}

// Reloads no query of the change itself, because the trial of an applied change would fail.
function isOfOthers({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== 'change'
}

function Trial({ report }: { readonly report: ChangeRehearsal }): ReactElement {
  const { ok, projects } = report
  const hasEffect = projects.some(({ visibility }) => visibility.length > 0)
  return (
    <div role="status" className="flex flex-col gap-2">
      <RehearsalList projects={projects} template={undefined} />
      <Losses projects={projects} />
      {ok &&
        projects.map((project) => (
          <p key={project.slug} className="text-small text-ink-dim">
            {hasEffect ? TEXTS.compared(project) : TEXTS.same(project)}
          </p>
        ))}
    </div>
  )
}

function Rehearsal(props: {
  readonly reach: ChangeReach & { readonly kind: 'all' }
  readonly report: ChangeRehearsal | undefined
  readonly error: Error | null
  readonly isBusy: boolean
  readonly isReady: boolean
  readonly onRehearse: () => void
}): ReactElement {
  const { error, isBusy, isReady, onRehearse, reach, report } = props
  return (
    <>
      <Section title="2. Rehearse everywhere">
        <p className="text-small text-ink-dim">{TEXTS.rehearsal}</p>
        <div>
          <Button
            icon={<FlaskConical />}
            tone={report === undefined ? 'primary' : 'plain'}
            disabled={!isReady}
            isBusy={isBusy}
            onClick={onRehearse}
          >
            {TEXTS.rehearse(reach)}
          </Button>
        </div>
        {error !== null && <Failed title="Could not rehearse the change" error={error} />}
      </Section>
      {report !== undefined && <RehearsalResult report={report} template={reach.template} />}
    </>
  )
}

interface ApplyProps {
  readonly reach: ChangeReach
  /** The rehearsal that covers every project that the change reaches. */
  readonly rehearsal: ChangeRehearsal | undefined
  readonly isBusy: boolean
  readonly error: Error | null
  /** The response, when applying the change changed nothing. */
  readonly failed: AppliedChange | undefined
  readonly onApply: () => void
}

function Apply(props: ApplyProps): ReactElement {
  const { error, failed, isBusy, onApply, reach, rehearsal } = props
  const lost = lostRows(rehearsal?.projects ?? [])
  const label = reach.kind === 'all' ? TEXTS.applyAll(reach) : TEXTS.applyHere(reach.tenant)
  return (
    <Section title={reach.kind === 'all' ? '3. Apply' : '2. Apply'}>
      {rehearsal !== undefined && <Warnings rehearsal={rehearsal} />}
      {rehearsal?.file != null && (
        <p className="text-small text-ink-dim">
          {TEXTS.file}{' '}
          <code className="break-words text-ink">
            <Breakable text={rehearsal.file} />
          </code>
        </p>
      )}
      <p className="text-small text-ink-dim">{TEXTS.snapshot}</p>
      <div>
        <Button
          icon={<ListChecks />}
          tone={lost > 0 ? 'danger' : 'primary'}
          // The first project is the template, or the only project. A change that this project refuses is not applied anywhere.
          disabled={rehearsal?.projects[0]?.ok !== true}
          isBusy={isBusy}
          onClick={onApply}
        >
          {label}
          {lost > 0 && TEXTS.losing(lost)}
        </Button>
      </div>
      {rehearsal === undefined && <p className="text-small text-ink-dim">{TEXTS.rehearseFirst}</p>}
      {error !== null && <Failed title="Could not apply the change" error={error} />}
      {failed?.projects.map(
        (project) =>
          project.error !== null && (
            <Failure key={project.slug} slug={project.slug} failure={project.error} />
          ),
      )}
    </Section>
  )
}

/** Repeats the refusals, visibility changes and losses that the rehearsal found. */
function Warnings({
  rehearsal,
}: {
  readonly rehearsal: ChangeRehearsal
}): ReactElement | undefined {
  const { ok, projects } = rehearsal
  const changes = changesIn(projects)
  const hasLosses = lostRows(projects) > 0
  const hasTemplate = projects[0]?.ok === true
  // With a single project, the trial above already shows why the project refuses the change.
  if (!ok && projects.length === 1) return undefined
  if (ok && changes.length === 0 && !hasLosses) return undefined
  return (
    <section
      aria-label="Warnings"
      className="flex flex-col gap-2 rounded-2 border border-clock/40 bg-clock/10 p-3"
    >
      {!ok && <p className="text-refused">{hasTemplate ? TEXTS.refused : TEXTS.refusedAll}</p>}
      {changes.length > 0 && <p className="text-clock">{TEXTS.visibility}</p>}
      <VisibilityChanges changes={changes} />
      <Losses projects={projects} />
    </section>
  )
}
