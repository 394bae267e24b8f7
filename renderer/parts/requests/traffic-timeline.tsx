// The traffic timeline over the list of requests: rate, latency and refusals by code. A selected part filters the list.
import { type ReactElement, type ReactNode, useMemo, useState } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/format.ts'
import { Loading } from '../../ui/loading.tsx'
import { Select } from '../../ui/select.tsx'
import { type RefusalLane, type Timeline, type TimeSpan, timelineOf } from './timeline.ts'
import { TimelineBrush } from './timeline-brush.tsx'
import { LaneBars, LatencyLines, RateBars } from './timeline-chart.tsx'
import { REACH_MILLIS, REACH_WORDS, REACHES, type Reach } from './timeline-reach.ts'
import { countWords, peakWords, slowestWords, stepWords, timeWords } from './timeline-words.ts'
import { useSampled } from './use-sampled.ts'

/** Wall-clock milliseconds between two drawings while requests arrive. */
const DRAWN_EVERY_MILLIS = 250

export interface TrafficTimelineProps {
  /** The requests that match all filters except the selected time, newest first. */
  readonly entries: readonly JournalEntry[]
  /** Whether all requests of the journal are loaded, including the oldest. */
  readonly isWhole: boolean
  readonly brush: TimeSpan | undefined
  readonly onBrush: (brush: TimeSpan | undefined) => void
  readonly reach: Reach
  readonly onReach: (reach: Reach) => void
  readonly codes: ReadonlySet<string>
  /** Filters the list by an error code, or removes this filter. */
  readonly onCode: (code: string) => void
}

export function TrafficTimeline(props: TrafficTimelineProps): ReactElement {
  const { brush, isWhole, reach } = props
  const { entries, ...drawn } = useSampled(
    useMemo(() => ({ entries: props.entries, isWhole }), [props.entries, isWhole]),
    DRAWN_EVERY_MILLIS,
  )
  const timeline = useMemo(
    () => timelineOf(entries, REACH_MILLIS[reach], brush),
    [entries, reach, brush],
  )
  const [pointed, setPointed] = useState<number>()
  // `useSampled` delays the timeline, so the list may have entries while the timeline still has none.
  if (timeline === undefined && props.entries.length > 0)
    return <Loading label="Loading traffic" lines={3} />
  if (timeline === undefined)
    return <p className="px-4 py-3 text-ink-dim">Requests appear here over time.</p>
  return (
    <div className="flex flex-col gap-1 px-4 py-2">
      <TimelineHead {...props} {...drawn} timeline={timeline} pointed={pointed} />
      <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3">
        <div className="flex flex-col gap-1 text-small text-ink-dim">
          <RowName className="h-10" name="Requests" detail={`peak ${peakWords(timeline)}`} />
          <RowName className="h-8" name="Latency" detail={`slowest ${slowestWords(timeline)}`} />
          {timeline.lanes.map((lane) => (
            <LaneName key={lane.code ?? ''} lane={lane} codes={props.codes} onCode={props.onCode} />
          ))}
        </div>
        <div className="relative flex flex-col gap-1">
          <RateBars steps={timeline.steps} className="h-10" />
          <LatencyLines timeline={timeline} className="h-8" />
          {timeline.lanes.map((lane) => (
            <LaneBars key={lane.code ?? ''} lane={lane} className="h-6 py-1" />
          ))}
          <TimelineBrush {...props} timeline={timeline} onPoint={setPointed} />
        </div>
        <div className="col-start-2 flex justify-between border-t pt-[2px] text-small text-ink-dim tabular-nums">
          <span>{timeWords(timeline.from, timeline)}</span>
          <span>{timeline.isClockMoved && 'in machine time, not platform time'}</span>
          <span>{timeWords(timeline.to, timeline)}</span>
        </div>
      </div>
    </div>
  )
}

function TimelineHead(
  props: TrafficTimelineProps & {
    readonly timeline: Timeline
    readonly pointed: number | undefined
  },
): ReactElement {
  const { timeline, pointed, brush, isWhole, onBrush, reach, onReach } = props
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="font-strong">Traffic</h2>
      <Legend />
      <p className="min-w-52 flex-1 truncate text-small text-ink-dim tabular-nums" data-summary>
        {pointed === undefined
          ? `${isWhole ? '' : 'at least '}${countWords(timeline)}`
          : `${timeWords(pointed, timeline)}: ${stepWords(timeline, pointed)}`}
      </p>
      {brush !== undefined && (
        <Button size="small" tone="quiet" onClick={() => onBrush(undefined)}>
          Clear selection
        </Button>
      )}
      <Select
        label="Timeline"
        size="small"
        value={reach}
        options={REACHES.map((value) => ({ value, label: REACH_WORDS[value] }))}
        onChange={onReach}
      />
    </div>
  )
}

function Legend(): ReactElement {
  return (
    <ul className="flex gap-3 text-small text-ink-dim max-md:hidden" aria-label="Legend">
      <Sign name="answered" mark={<span className="size-2 bg-accent/70" />} />
      <Sign name="refused" mark={<span className="refused-part size-2" />} />
      <Sign name="p50" mark={<span className="w-3 border-t-2 border-accent" />} />
      <Sign name="p95" mark={<span className="w-3 border-t border-dashed border-ink-dim" />} />
    </ul>
  )
}

function Sign({ name, mark }: { readonly name: string; readonly mark: ReactNode }): ReactElement {
  return (
    <li className="flex items-center gap-1 whitespace-nowrap">
      {mark}
      {name}
    </li>
  )
}

function RowName(props: {
  readonly name: string
  readonly detail: string
  readonly className: string
}): ReactElement {
  return (
    <div className={cx('flex flex-col justify-center leading-4', props.className)}>
      <span className="text-ink">{props.name}</span>
      <span className="truncate tabular-nums">{props.detail}</span>
    </div>
  )
}

function LaneName(props: {
  readonly lane: RefusalLane
  readonly codes: ReadonlySet<string>
  readonly onCode: (code: string) => void
}): ReactElement {
  const { lane, codes, onCode } = props
  const { code, total } = lane
  const count = <span className="ml-auto pl-1 tabular-nums">{formatNumber(total)}</span>
  if (code === undefined)
    return (
      <span className="flex h-6 items-center">
        other codes
        {count}
      </span>
    )
  return (
    <button
      type="button"
      title={`Show only requests with the error code ${code}`}
      aria-pressed={codes.has(code)}
      onClick={() => onCode(code)}
      className={cx(
        'flex h-6 min-w-0 items-center rounded-1 text-left hover:text-ink',
        codes.has(code) && 'bg-accent/15 text-ink',
      )}
    >
      <span className="min-w-0 truncate font-mono">{code}</span>
      {count}
    </button>
  )
}
