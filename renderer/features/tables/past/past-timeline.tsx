// The timeline of the requests that changed the open table. A slider steps from change to change, and its right end is the present.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type PointerEvent, type ReactElement, useMemo, useState } from 'react'
import type {
  HistoryTimeline,
  HistoryWrite,
  PastState,
} from '../../../../emulator/contract/history.ts'
import type { TableStructure } from '../../../../emulator/contract/tables.ts'
import { useTimeline } from '../../../api/history.ts'
import { actorName, NOT_RECORDED } from '../../../parts/history/history-texts.ts'
import { useUserNames } from '../../../parts/identity-names.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/checkbox.tsx'
import { cx } from '../../../ui/cx.ts'
import { exactTime } from '../../../ui/format.ts'
import { usePlatformTime } from '../../../ui/platform-time.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { instantBefore, movedBy, type Position, positionOf } from './timeline-steps.ts'

export interface PastTimelineProps {
  readonly tenant: string
  readonly structure: TableStructure
  /** The chosen instant; the present when undefined. */
  readonly at: string | undefined
  readonly past: PastState | undefined
  readonly onGoTo: (at: string | undefined) => void
}

export function PastTimeline(props: PastTimelineProps): ReactElement {
  const { structure, tenant } = props
  const isTable = structure.kind === 'table' || structure.kind === 'partitioned_table'
  const [isWhole, setWhole] = useState(false)
  const isOfAll = isWhole || !isTable
  const query = useTimeline(tenant, isOfAll ? undefined : structure.name)
  return (
    <section
      aria-label="Timeline"
      className="flex min-h-9 shrink-0 items-center gap-3 border-b bg-surface-1 px-4"
    >
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <Loaded query={query} what="the timeline" lines={1}>
          {(timeline) => (
            <Steps {...props} timeline={timeline} of={isOfAll ? 'tenant' : structure.name} />
          )}
        </Loaded>
      </div>
      <Button
        size="small"
        disabled={props.at === undefined}
        onClick={() => props.onGoTo(undefined)}
      >
        Now
      </Button>
      <Switch label="All tables" isChecked={isOfAll} isDisabled={!isTable} onChange={setWhole} />
    </section>
  )
}

function Steps(
  props: PastTimelineProps & { readonly timeline: HistoryTimeline; readonly of: string },
): ReactElement {
  const { at, of, onGoTo, past, timeline } = props
  const steps = useMemo(() => timeline.writes.toReversed(), [timeline.writes])
  const [oldest] = steps
  if (oldest === undefined)
    return (
      <p className="py-1 text-ink-dim">
        {timeline.is_recorded ? `No recorded changes of ${of}.` : NOT_RECORDED}
      </p>
    )
  const position = positionOf(steps, at, past)
  const goTo = (index: number) => {
    const step = steps[index]
    onGoTo(step && instantBefore(step))
  }
  const move = (key: string) => {
    const index = movedBy(key, position, steps.length)
    if (index !== undefined) goTo(index)
    return index !== undefined
  }
  return (
    <>
      <IconButton
        size="small"
        label="Earlier change"
        icon={<ChevronLeft />}
        disabled={position.index === 0}
        onClick={() => move('ArrowLeft')}
      />
      <span
        className="shrink-0 text-small text-ink-dim max-lg:hidden"
        title={timeline.has_more ? 'Older changes are not on the timeline.' : undefined}
      >
        {timeline.has_more && '… '}
        <Timestamp at={oldest.at} format="exact" isPast />
      </span>
      <Track {...props} steps={steps} position={position} goTo={goTo} onKey={move} />
      <IconButton
        size="small"
        label="Later change"
        icon={<ChevronRight />}
        disabled={at === undefined}
        onClick={() => move('ArrowRight')}
      />
    </>
  )
}

interface TrackProps extends Pick<PastTimelineProps, 'tenant' | 'at' | 'past'> {
  /** The oldest first. */
  readonly steps: readonly HistoryWrite[]
  readonly position: Position
  readonly goTo: (index: number) => void
  /** Returns whether the key moves. */
  readonly onKey: (key: string) => boolean
}

function Track(props: TrackProps): ReactElement {
  const { goTo, onKey, position, steps } = props
  const wordsOf = useStepWords(props.tenant)
  const step = steps[position.index]
  const words =
    props.at === undefined
      ? 'now'
      : `${position.isExact && step !== undefined ? wordsOf(step) : 'between two changes'}`
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const part = width === 0 ? 1 : (event.clientX - left) / width
    const index = Math.min(steps.length, Math.max(0, Math.floor(part * (steps.length + 1))))
    if (index !== position.index || !position.isExact) goTo(index)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Instant"
      aria-valuemin={0}
      aria-valuemax={steps.length}
      aria-valuenow={position.index}
      aria-valuetext={words}
      onKeyDown={(event) => {
        if (!onKey(event.key)) return
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        point(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) point(event)
      }}
      className="relative flex h-7 min-w-24 flex-1 cursor-pointer touch-none items-stretch rounded-1"
    >
      <span className="absolute inset-x-0 top-1/2 h-px bg-line-strong" />
      {steps.map((each) => (
        <span key={each.sequence} title={wordsOf(each)} className="relative min-w-0 flex-1">
          <span className="absolute top-2 bottom-2 left-1/2 w-[2px] -translate-x-1/2 bg-ink-dim" />
        </span>
      ))}
      <span title="Now" className="relative min-w-0 flex-1">
        <span className="absolute top-1/2 left-1/2 size-2 -translate-1/2 rounded-full border border-ink-dim bg-surface-1" />
      </span>
      <span
        className={cx(
          'pointer-events-none absolute inset-y-1 w-1.5 -translate-x-1/2 rounded-full',
          props.at === undefined ? 'bg-accent-fill' : 'bg-clock',
        )}
        style={{ left: placeOf(position, steps.length) }}
      />
    </div>
  )
}

/** An instant between two writes is at the border of their parts of the track. */
function placeOf({ index, isExact }: Position, count: number): string {
  return `${(100 * (index + (isExact ? 0.5 : 0))) / (count + 1)}%`
}

/** Returns a function that says when, by whom and in which tables a write changed rows. */
function useStepWords(tenant: string): (write: HistoryWrite) => string {
  const names = useUserNames(tenant)
  const { parse } = usePlatformTime()
  return (write) => {
    const millis = parse(write.at)
    const time = millis === undefined ? write.at : exactTime(millis)
    return `before ${time}, ${actorName(write, names)}, ${write.tables.join(', ')}`
  }
}
