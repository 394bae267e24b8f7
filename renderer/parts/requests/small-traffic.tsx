// The traffic of the last requests as a small picture, for the home screen.
import { type ReactElement, useMemo } from 'react'
import { factsOf } from './request-facts.ts'
import { timelineOf } from './timeline.ts'
import { LatencyLines, RateBars } from './timeline-chart.tsx'
import { countWords, peakWords, timeWords } from './timeline-words.ts'
import { useSampled } from './use-sampled.ts'
import { useTail } from './use-tail.ts'

const DRAWN_EVERY_MILLIS = 1_000

export function SmallTraffic(): ReactElement {
  const { entries } = useTail()
  const sampled = useSampled(entries, DRAWN_EVERY_MILLIS)
  const timeline = useMemo(
    () =>
      timelineOf(
        sampled.filter((entry) => !factsOf(entry).isOwn),
        undefined,
        undefined,
      ),
    [sampled],
  )
  if (timeline === undefined)
    return (
      <p className="px-4 py-3 text-ink-dim">No requests yet. Their rate and latency appear here.</p>
    )
  return (
    <figure className="flex flex-col gap-1 px-4 py-3">
      <RateBars timeline={timeline} className="h-10" />
      <LatencyLines timeline={timeline} className="h-6" />
      <div className="flex justify-between border-t pt-[2px] text-small text-ink-dim tabular-nums">
        <span>{timeWords(timeline.from, timeline)}</span>
        <span>peak {peakWords(timeline)}</span>
        <span>{timeWords(timeline.to, timeline)}</span>
      </div>
      <figcaption className="text-small text-ink-dim">{countWords(timeline)}</figcaption>
    </figure>
  )
}
