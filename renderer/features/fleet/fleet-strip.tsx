// The line above the list: the template with its pending steps, the newest version, and where the steps come from.
import type { UseQueryResult } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import type { ReactElement } from 'react'
import { differencesFromText } from '../../../emulator/contract/fact-words.ts'
import type { Fleet, FleetVersion } from '../../../emulator/contract/fleet.ts'
import { useFleetSurvey } from '../../api/fleet.ts'
import { DifferencesChip, StepsChip } from '../../parts/project-facts.tsx'
import { Spinner } from '../../ui/button.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { HowToGetSteps } from './commands.tsx'
import { HINTS, surveyText } from './texts.ts'

export function FleetStrip(props: {
  readonly fleet: Fleet
  readonly query: UseQueryResult<Fleet>
  /** Opens the sheet of the template or of a version. */
  readonly onOpen: (slug: string) => void
}): ReactElement {
  const { fleet, query, onOpen } = props
  const unread = useFleetSurvey(query)
  return (
    <section
      aria-label={`Group ${fleet.group.name}`}
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b bg-surface-1 px-4 py-2"
    >
      <Template fleet={fleet} onOpen={onOpen} />
      {fleet.steps_given_at !== null && (
        <span className="text-ink-dim">
          {countOf(fleet.steps.length, 'step')}, sent <Timestamp at={fleet.steps_given_at} />
        </span>
      )}
      {unread > 0 && (
        <span role="status" className="ml-auto flex items-center gap-2 text-ink-dim">
          <Spinner />
          {surveyText(unread)}
        </span>
      )}
      {fleet.steps_given_at === null && <HowToGetSteps group={fleet.group.name} />}
    </section>
  )
}

function Template(props: {
  readonly fleet: Fleet
  readonly onOpen: (slug: string) => void
}): ReactElement {
  const { fleet, onOpen } = props
  const { template, versions } = fleet
  if (template === null) return <span className="text-clock">{HINTS.noTemplate}</span>
  const newest = versions.at(-1)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LayoutTemplate className="size-4 shrink-0 text-ink-dim" />
      <span className="text-ink-dim">Template</span>
      <code className="truncate">{template.slug}</code>
      {newest === undefined && <code className="text-ink-dim">v1</code>}
      <StepsChip fact={template.facts.steps} />
      <Structure version={template} onOpen={onOpen} />
      {newest !== undefined && (
        <>
          <span className="pl-4 text-ink-dim">Newest version</span>
          <code className="truncate">{newest.slug}</code>
        </>
      )}
    </span>
  )
}

function Structure(props: {
  readonly version: FleetVersion
  readonly onOpen: (slug: string) => void
}): ReactElement {
  const { facts, slug } = props.version
  const chip = <DifferencesChip fact={facts.differences} />
  if ((facts.differences.count ?? 0) === 0) return chip
  return (
    <button
      type="button"
      onClick={() => props.onOpen(slug)}
      aria-label={`Structure of ${slug}: ${differencesFromText(facts.differences)}`}
    >
      {chip}
    </button>
  )
}
