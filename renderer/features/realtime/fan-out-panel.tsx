// THE FAN-OUT of one change: the change in the middle, its subscribers around it, and the chosen lane's story below.
import { Link } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { ChangeEvent, ChangeVerdictChip } from '../../parts/change-verdict-chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { FanOutDrawing } from './fan-out-drawing.tsx'
import { fanOutOf } from './fan-out-model.ts'
import { LaneStory } from './lane-story.tsx'
import { useSubscriberName } from './use-subscriber-name.ts'

export interface FanOutPanelProps {
  readonly tenant: string
  readonly change: JudgedChange
}

export function FanOutPanel({ tenant, change }: FanOutPanelProps): ReactElement {
  const { lanes, rest, subscribers } = fanOutOf(change.verdicts)
  const [chosen, setChosen] = useState<string>()
  const nameOf = useSubscriberName(tenant)
  // Nobody asks why something worked: the first that got nothing tells its story until another is chosen.
  const lane =
    lanes.find(({ id }) => id === chosen) ??
    lanes.find(({ verdict }) => verdict !== 'delivered') ??
    lanes[0]
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto">
      <header className="flex h-9 shrink-0 items-center gap-3 border-b px-4 whitespace-nowrap">
        <ChangeEvent event={change.event} />
        <h2 title={change.table} className="min-w-0 truncate font-mono">
          {change.table}
        </h2>
        <span className="shrink-0 text-ink-dim">
          <Timestamp at={change.committed_at} />
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-ink-dim">
          {subscribers === 1 ? '1 subscriber' : `${subscribers} subscribers`}
          {change.request_id === null ? undefined : (
            <Link
              to="/requests/$requestId"
              params={{ requestId: change.request_id }}
              className="text-accent hover:underline"
            >
              Its request
            </Link>
          )}
        </span>
      </header>
      {lanes.length === 0 ? (
        <EmptyState title="Nobody was subscribed" detail="No channel asked for this table." />
      ) : (
        <FanOutDrawing
          change={change}
          lanes={lanes}
          chosen={lane?.id}
          nameOf={nameOf}
          onChoose={setChosen}
        />
      )}
      {rest.length === 0 ? undefined : (
        <p className="flex flex-wrap items-center justify-center gap-2 pb-3 text-ink-dim">
          and
          {rest.map(({ verdict, count }) => (
            <ChangeVerdictChip key={verdict} verdict={verdict} detail={`× ${count}`} />
          ))}
        </p>
      )}
      <div className="grid gap-4 border-t p-4 lg:grid-cols-2">
        {lane === undefined ? undefined : (
          <LaneStory tenant={tenant} change={change} lane={lane} name={nameOf(lane)} />
        )}
        <Section title={change.event === 'DELETE' ? 'Key of the row' : 'Row as it became'}>
          {change.row === null ? (
            <p className="text-ink-dim">Too large to be kept.</p>
          ) : (
            <JsonTree value={change.row} label="row" />
          )}
        </Section>
      </div>
    </div>
  )
}
