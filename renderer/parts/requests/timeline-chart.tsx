// Draws a timeline of requests: bars for the rate, lines for the latency, and a strip for each refusal code. SVG paths stretch
// to the width of their container, so that a new width needs no new drawing.
import type { ReactElement } from 'react'
import { cx } from '../../ui/cx.ts'
import type { RefusalLane, Timeline, TimelineStep } from './timeline.ts'

/** Width of a step in the units of the drawing. */
const STEP = 10
const HEIGHT = 100

/** Bars of all requests, with the refused ones at the bottom in another colour. */
export function RateBars(props: {
  readonly steps: readonly Pick<TimelineStep, 'refused' | 'total'>[]
  readonly className: string
}): ReactElement {
  const { className, steps } = props
  const most = mostOf(steps.map(({ total }) => total))
  return (
    <Drawing steps={steps.length} className={className}>
      <path
        className="fill-accent/70"
        d={barsOf(steps.map(({ total, refused }) => [refused / most, total / most]))}
      />
      <path className="fill-refused" d={barsOf(steps.map(({ refused }) => [0, refused / most]))} />
    </Drawing>
  )
}

/** A solid line for the median and a dashed one for the 95th percentile. */
export function LatencyLines(props: {
  readonly timeline: Timeline
  readonly className: string
}): ReactElement {
  const { timeline, className } = props
  const { steps } = timeline
  const most = mostOf(steps.map(({ p95 }) => p95 ?? 0))
  return (
    <Drawing steps={steps.length} className={className}>
      <path
        className="fill-none stroke-ink-dim [stroke-dasharray:3_2] [vector-effect:non-scaling-stroke]"
        d={lineOf(steps, ({ p95 }) => p95, most)}
      />
      <path
        className="fill-none stroke-accent stroke-[1.5] [vector-effect:non-scaling-stroke]"
        d={lineOf(steps, ({ p50 }) => p50, most)}
      />
    </Drawing>
  )
}

export function LaneBars(props: {
  readonly lane: RefusalLane
  readonly className: string
}): ReactElement {
  const { lane, className } = props
  const most = mostOf(lane.counts)
  return (
    <Drawing steps={lane.counts.length} className={className}>
      <path
        className="fill-refused"
        // The least height keeps a single refusal visible beside hundreds.
        d={barsOf(lane.counts.map((count) => [0, count === 0 ? 0 : 0.3 + (0.7 * count) / most]))}
      />
    </Drawing>
  )
}

function Drawing(props: {
  readonly steps: number
  readonly className: string
  readonly children: ReactElement | readonly ReactElement[]
}): ReactElement {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${props.steps * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx('block w-full', props.className)}
    >
      {props.children}
    </svg>
  )
}

function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0) || 1
}

/** Bars between two heights, each a part of the drawing’s height. */
function barsOf(bars: readonly (readonly [low: number, high: number])[]): string {
  return bars
    .map(([low, high], place) => {
      if (high <= low) return ''
      const bottom = HEIGHT * (1 - low)
      const top = Math.min(HEIGHT * (1 - high), bottom - 2)
      return `M${place * STEP + 1} ${round(bottom)}V${round(top)}h${STEP - 2}V${round(bottom)}z`
    })
    .join('')
}

/** A line through the middles of the steps, interrupted where there were no requests. A lone step becomes a dash. */
function lineOf(
  steps: readonly TimelineStep[],
  figureOf: (step: TimelineStep) => number | undefined,
  most: number,
): string {
  let isOn = false
  return steps
    .map((step, place) => {
      const value = figureOf(step)
      if (value === undefined) {
        isOn = false
        return ''
      }
      const y = round(HEIGHT - 4 - (HEIGHT - 8) * (value / most))
      const start = isOn ? `L${place * STEP + 1} ${y}` : `M${place * STEP + 1} ${y}`
      isOn = true
      return `${start}h${STEP - 2}`
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
