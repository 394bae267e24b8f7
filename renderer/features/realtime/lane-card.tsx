// A subscriber of a change, with what became of it.
import type { ReactElement } from 'react'
import { ChangeVerdictChip } from '../../parts/change-verdict-chip.tsx'
import { cx } from '../../ui/cx.ts'
import { formatDuration } from '../../ui/format.ts'
import { middleTruncate } from '../../ui/truncate.ts'
import { channelName, type Lane } from './fan-out-model.ts'

export interface LaneCardProps {
  readonly lane: Lane
  /** Who it is. */
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function LaneCard({ lane, name, isChosen, onChoose }: LaneCardProps): ReactElement {
  const [first = ''] = lane.topics
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      data-verdict={lane.verdict}
      onClick={onChoose}
      className={cx(
        'flex h-full w-full flex-col justify-center gap-1 rounded-2 border bg-surface-1 px-3 text-left hover:bg-surface-2',
        isChosen ? 'border-accent' : 'border-line-strong',
      )}
    >
      <span className="w-full truncate" title={name}>
        {middleTruncate(name, 36)}
      </span>
      <span className="flex w-full min-w-0 items-center gap-2">
        <span className="shrink-0">
          <ChangeVerdictChip
            verdict={lane.verdict}
            {...(lane.latencyMillis === null
              ? {}
              : { detail: `after ${formatDuration(lane.latencyMillis)}` })}
          />
        </span>
        <span
          className="min-w-0 flex-1 truncate font-mono text-small text-ink-dim"
          title={lane.topics.join('\n')}
        >
          {channelName(first)}
          {lane.topics.length > 1 ? ` and ${lane.topics.length - 1} more` : ''}
        </span>
      </span>
    </button>
  )
}
