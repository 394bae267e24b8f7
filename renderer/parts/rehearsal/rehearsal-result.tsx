// The result of a rehearsal: refused projects first, then what changes for whom, then the others.
import { ChevronRight } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ProjectRehearsal } from '../../../emulator/contract/rehearsals.ts'
import { Chip } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatDuration } from '../../ui/format.ts'
import { Section } from '../../ui/sheet.tsx'
import { StructureDifferences } from '../structure-differences.tsx'
import { VisibilityChanges } from '../visibility-changes.tsx'
import { Failure } from './failure.tsx'
import { FixtureMisfit } from './fixture-misfit.tsx'
import { Losses } from './losses.tsx'
import { changesVisibility, losesData } from './rehearsed.ts'
import { driftText, losingText, visibilityText } from './texts.ts'

export interface Rehearsed {
  readonly ok: boolean
  readonly projects: readonly ProjectRehearsal[]
  readonly fixture_problem: string | null
  readonly duration_ms: number
}

export function RehearsalResult(props: {
  readonly report: Rehearsed
  /** Slug of the template, when it was rehearsed. */
  readonly template: string | undefined
}): ReactElement {
  const { report, template } = props
  const { duration_ms: duration, projects } = report
  return (
    <Section title={`Result after ${formatDuration(duration)}`} beside={<Verdict {...report} />}>
      <div role="status" className="flex flex-col gap-3">
        <FixtureMisfit problem={report.fixture_problem} />
        <Losses projects={projects} />
        <RehearsalList projects={projects} template={template} />
      </div>
    </Section>
  )
}

export function RehearsalList(props: {
  readonly projects: readonly ProjectRehearsal[]
  readonly template: string | undefined
}): ReactElement {
  const { projects, template } = props
  const done = projects.filter(({ ok }) => ok)
  return (
    <>
      {projects.map((project) => (
        <Refused key={project.slug} project={project} />
      ))}
      {done.length > 0 && (
        <ul aria-label="Rehearsed" className="rounded-2 border bg-surface-0">
          {done.map((project) => (
            <Done key={project.slug} project={project} template={template} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Green only when no step fails, nothing is lost, no identity gains or loses rows, and the followed fixture fits. */
function Verdict(props: Rehearsed): ReactElement {
  const { fixture_problem: misfit, ok, projects } = props
  const losing = projects.filter(losesData).length
  const changed = projects.filter(changesVisibility).length
  if (!ok) return <Chip tone="refused">refused</Chip>
  if (losing > 0) return <Chip tone="refused">{losingText(losing)}</Chip>
  if (changed > 0) return <Chip tone="clock">{visibilityText(changed)}</Chip>
  return misfit === null ? (
    <Chip tone="allowed">all ok</Chip>
  ) : (
    <Chip tone="clock">fixture does not fit</Chip>
  )
}

function Refused({ project }: { readonly project: ProjectRehearsal }): ReactElement | undefined {
  const { drift, error, line, slug, statement, step } = project
  if (error === null) return undefined
  return (
    <Failure slug={slug} failure={{ ...error, line, statement, step }}>
      <Drift slug={slug} drift={drift} />
    </Failure>
  )
}

function Effect({ project }: { readonly project: ProjectRehearsal }): ReactElement {
  if (losesData(project)) return <Chip tone="refused">values are lost</Chip>
  return changesVisibility(project) ? (
    <Chip tone="clock">visibility changes</Chip>
  ) : (
    <Chip tone="allowed">ok</Chip>
  )
}

function Done(props: {
  readonly project: ProjectRehearsal
  /** Slug of the template; `undefined` for statements outside a step. */
  readonly template: string | undefined
}): ReactElement {
  const { project, template } = props
  const { drift, notes, pending, rows_changed: rows, slug, visibility } = project
  return (
    <li className="flex flex-col gap-1 border-b px-3 py-1 last:border-b-0">
      <p className="flex min-w-0 items-center gap-2">
        <Effect project={project} />
        <code className="min-w-0 flex-1 truncate">{slug}</code>
        {slug === template && <span className="text-small text-ink-dim">template</span>}
        <span className="text-small text-ink-dim">
          {template !== undefined && pending.length === 0
            ? 'no pending steps'
            : [
                ...(pending.length === 0 ? [] : [countOf(pending.length, 'step')]),
                `${countOf(rows, 'row')} changed`,
              ].join(', ')}
        </span>
      </p>
      <Drift slug={slug} drift={drift} />
      <VisibilityChanges changes={visibility} />
      {notes.map((note) => (
        <p key={note} className="text-small text-ink-dim">
          {note}
        </p>
      ))}
    </li>
  )
}

/**
 * Shows how the project's structure differed from its steps before the rehearsal. The part is initially closed, to keep the list
 * of projects short.
 */
function Drift(props: {
  readonly slug: string
  readonly drift: ProjectRehearsal['drift']
}): ReactElement | undefined {
  const { drift, slug } = props
  if (drift.length === 0) return undefined
  return (
    <details className="group">
      <summary className="flex cursor-pointer items-center gap-2 pb-1">
        <ChevronRight className="size-4 text-ink-dim group-open:rotate-90" />
        <Chip tone="changed">{driftText(drift.length)}</Chip>
        <span className="text-small text-ink-dim">before the rehearsal</span>
      </summary>
      <StructureDifferences differences={drift} project={slug} other="steps" />
    </details>
  )
}
