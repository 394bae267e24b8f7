// Draws a timeline of requests: bars for the rate, lines for the latency, and a strip for each refusal code. The drawings stretch
// with their container, so a new width needs no new drawing. Refused requests are hatched, like hidden rows.
import type { ReactElement } from 'react'
import { cx } from '../../ui/cx.ts'
import type { RefusalLane, Timeline, TimelineStep } from './timeline.ts'

/** Width of a step in the units of the drawing. */
const STEP = 10
const HEIGHT = 100

/** Bars of all requests, with the refused ones hatched at the bottom. */
export function RateBars(props: {
  readonly steps: readonly Pick<TimelineStep, 'refused' | 'total'>[]
  readonly className: string
}): ReactElement {
  const { className, steps } = props
  const most = mostOf(steps.map(({ total }) => total))
  return (
    <div className={cx('relative', className)}>
      <Drawing steps={steps.length} className="h-full">
        <path
          className="fill-accent/70"
          d={barsOf(steps.map(({ total, refused }) => [refused / most, total / most]))}
        />
      </Drawing>
      <RefusedBars heights={steps.map(({ refused }) => refused / most)} />
    </div>
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
    <div className={className}>
      <div className="relative h-full">
        {/* The minimum height keeps a step with a single refusal visible beside steps with hundreds. */}
        <RefusedBars
          heights={lane.counts.map((count) => (count === 0 ? 0 : 0.3 + (0.7 * count) / most))}
        />
      </div>
    </div>
  )
}

/** Hatched bars, clipped from a striped area that fills the container. An SVG pattern would stretch with the drawing. */
function RefusedBars({ heights }: { readonly heights: readonly number[] }): ReactElement {
  return (
    <div
      aria-hidden
      className="refused-part absolute inset-0"
      style={{ clipPath: `polygon(${cornersOf(heights)})` }}
    />
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

/** The path of bars between two heights, from 0 to 1 of the drawing’s height. */
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

/** The corners of all bars as one polygon. Between two bars, the polygon follows the bottom edge and has no area. */
function cornersOf(heights: readonly number[]): string {
  const width = heights.length * STEP
  const corners = heights.flatMap((height, place) => {
    if (height <= 0) return []
    const [left, right] = [place * STEP + 1, (place + 1) * STEP - 1].map((x) => percent(x / width))
    const top = percent(1 - Math.max(height, 0.02))
    return [`${left} 100%`, `${left} ${top}`, `${right} ${top}`, `${right} 100%`]
  })
  return corners.length === 0 ? '0 0' : corners.join(',')
}

function percent(part: number): string {
  return `${Math.round(10_000 * part) / 100}%`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
