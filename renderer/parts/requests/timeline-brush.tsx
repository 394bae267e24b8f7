// Selects a part of a timeline: by dragging over it, by clicking a step, or with the keys of two handles.
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { onSteps, type Timeline, type TimeSpan } from './timeline.ts'
import { stepWords, timeWords } from './timeline-words.ts'

export interface TimelineBrushProps {
  readonly timeline: Timeline
  readonly brush: TimeSpan | undefined
  readonly onBrush: (brush: TimeSpan | undefined) => void
  /** Called with the instant under the pointer, and with `undefined` when the pointer leaves. */
  readonly onPoint: (at: number | undefined) => void
}

/** Covers its container, which the drawings of the timeline fill. */
export function TimelineBrush(props: TimelineBrushProps): ReactElement {
  const { timeline, brush, onBrush, onPoint } = props
  const [dragged, setDragged] = useState<TimeSpan>()
  const shown = dragged ?? brush
  const drag = dragOf(timeline, setDragged, onBrush)
  return (
    <div
      className="absolute inset-0 cursor-crosshair touch-none"
      data-brush
      onPointerDown={drag}
      onPointerMove={(event) => onPoint(instantAt(timeline, event.currentTarget, event.clientX))}
      onPointerLeave={() => onPoint(undefined)}
    >
      {shown !== undefined && (
        <div
          className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent/15"
          style={{ left: placeOf(timeline, shown.from), right: restOf(timeline, shown.to) }}
        />
      )}
      <Handle edge="from" {...{ timeline, brush, onBrush }} />
      <Handle edge="to" {...{ timeline, brush, onBrush }} />
    </div>
  )
}

function Handle(
  props: Omit<TimelineBrushProps, 'onPoint'> & { readonly edge: 'from' | 'to' },
): ReactElement {
  const { timeline, brush, onBrush, edge } = props
  const span = brush ?? timeline
  const at = span[edge]
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? 'Start of the selected time' : 'End of the selected time'}
      aria-valuemin={timeline.from}
      aria-valuemax={timeline.to}
      aria-valuenow={at}
      aria-valuetext={`${timeWords(at, timeline)}; ${stepWords(timeline, edge === 'from' ? at : at - 1)}`}
      onKeyDown={(event) => {
        const next = movedBy(event, timeline, span, edge)
        if (next === undefined) return
        event.preventDefault()
        event.stopPropagation()
        onBrush(next === 'none' ? undefined : next)
      }}
      style={edge === 'from' ? { left: placeOf(timeline, at) } : { right: restOf(timeline, at) }}
      className={cx(
        'absolute inset-y-0 w-2 cursor-ew-resize rounded-1 border-accent focus-visible:bg-accent/40',
        edge === 'from' ? 'border-l-2' : 'border-r-2',
        brush === undefined && 'border-transparent',
      )}
    />
  )
}

/**
 * The span after the user pressed a key. Arrow keys move the edge by one step, or by ten steps with Shift. Home and End move the
 * edge to the ends.
 */
function movedBy(
  { key, shiftKey }: KeyboardEvent,
  timeline: Timeline,
  span: TimeSpan,
  edge: 'from' | 'to',
): TimeSpan | 'none' | undefined {
  if (key === 'Escape') return 'none'
  const { from, to, stepMillis } = timeline
  const by = stepMillis * (shiftKey ? 10 : 1)
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: span[edge] - by,
    ArrowDown: span[edge] - by,
    ArrowRight: span[edge] + by,
    ArrowUp: span[edge] + by,
    Home: edge === 'from' ? from : span.from + stepMillis,
    End: edge === 'to' ? to : span.to - stepMillis,
  }
  const target = targets[key]
  if (target === undefined) return undefined
  const [low, high] = edge === 'from' ? [from, span.to - stepMillis] : [span.from + stepMillis, to]
  const next = { ...span, [edge]: Math.min(Math.max(target, low), Math.max(low, high)) }
  return next.from <= from && next.to >= to ? 'none' : { from: next.from, to: next.to }
}

function dragOf(
  timeline: Timeline,
  show: (span: TimeSpan | undefined) => void,
  onBrush: TimelineBrushProps['onBrush'],
): (event: PointerEvent<HTMLElement>) => void {
  return (event) => {
    if (event.button !== 0) return
    const area = event.currentTarget
    const start = instantAt(timeline, area, event.clientX)
    const spanTo = (moved: globalThis.PointerEvent) =>
      onSteps(timeline, start, instantAt(timeline, area, moved.clientX))
    area.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => show(spanTo(moved))
    const stop = () => {
      area.removeEventListener('pointermove', move)
      area.removeEventListener('pointerup', end)
      area.removeEventListener('pointercancel', stop)
      show(undefined)
    }
    const end = (moved: globalThis.PointerEvent) => {
      onBrush(spanTo(moved))
      stop()
    }
    area.addEventListener('pointermove', move)
    area.addEventListener('pointerup', end)
    area.addEventListener('pointercancel', stop)
  }
}

function instantAt({ from, to }: Timeline, area: HTMLElement, clientX: number): number {
  const { left, width } = area.getBoundingClientRect()
  const part = width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width))
  return Math.min(to - 1, from + part * (to - from))
}

function placeOf({ from, to }: Timeline, at: number): string {
  return `${Math.min(100, Math.max(0, (100 * (at - from)) / (to - from)))}%`
}

function restOf({ from, to }: Timeline, at: number): string {
  return `${Math.min(100, Math.max(0, (100 * (to - at)) / (to - from)))}%`
}
