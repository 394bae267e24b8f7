// The line above the list: the template with its pending steps, the newest version, and where the steps come from.
import type { UseQueryResult } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet, FleetVersion } from '../../../emulator/contract/fleet.ts'
import { useFleetSurvey } from '../../api/fleet.ts'
import { Spinner } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { pendingSteps } from './fleet-model.ts'
import { driftText, HINTS, surveyText } from './texts.ts'

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
      {fleet.steps_given_at === null && <HowToGetSteps />}
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
  const pending = pendingSteps(fleet, []).length
  return (
    <span className="flex min-w-0 items-center gap-2">
      <LayoutTemplate className="size-4 shrink-0 text-ink-dim" />
      <span className="text-ink-dim">Template</span>
      <code className="truncate">{template.slug}</code>
      {template.problem !== null ? (
        <Chip tone="refused" title={template.problem}>
          conflict
        </Chip>
      ) : (
        pending > 0 && <Chip tone="clock">{countOf(pending, 'step')} pending</Chip>
      )}
      <Drifted version={template} onOpen={onOpen} />
      <span className="pl-4 text-ink-dim">Newest version</span>
      {newest === undefined ? (
        <span className="text-ink-dim">none</span>
      ) : (
        <>
          <code className="truncate">{newest.slug}</code>
          <Drifted version={newest} onOpen={onOpen} />
        </>
      )}
    </span>
  )
}

function Drifted(props: {
  readonly version: FleetVersion
  readonly onOpen: (slug: string) => void
}): ReactElement | undefined {
  const { differences, slug } = props.version
  if ((differences ?? 0) === 0) return undefined
  return (
    <button type="button" onClick={() => props.onOpen(slug)} aria-label={`Show drift of ${slug}`}>
      <Chip tone="changed" title={driftText(differences ?? 0)}>
        drifted
      </Chip>
    </button>
  )
}

function HowToGetSteps(): ReactElement {
  return (
    <div className="flex w-full flex-wrap items-center gap-x-6 gap-y-1 text-small text-ink-dim">
      <p>{HINTS.noSteps}</p>
      <ul aria-label="How to get steps" className="flex flex-wrap gap-x-4 gap-y-1">
        {HINTS.howToGetSteps.map(([command, effect]) => (
          <li key={command} className="flex items-center gap-1">
            <code className="text-ink">{command}</code>
            {effect}
            <CopyButton text={command} label={`Copy ${command}`} />
          </li>
        ))}
      </ul>
    </div>
  )
}
