// The drawing: curves behind, cards above. A line that arrives ends in a dot, one that is stopped in a bar, one that is not
// meant for the subscriber fades away. Motion shows only that a change came.
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { VERDICT_WORDS, type VerdictTone } from '../../parts/change-verdicts.ts'
import { rowInALine } from './change-list.ts'
import { type Box, type LanePlace, layOutFanOut } from './fan-out-layout.ts'
import type { Lane } from './fan-out-model.ts'
import { LaneCard } from './lane-card.tsx'

export interface FanOutDrawingProps {
  readonly change: JudgedChange
  readonly lanes: readonly Lane[]
  /** Id of the chosen lane. */
  readonly chosen: string | undefined
  readonly nameOf: (lane: Lane) => string
  readonly onChoose: (id: string) => void
}

const STROKES: Readonly<Record<VerdictTone, string>> = {
  allowed: 'stroke-allowed',
  refused: 'stroke-refused',
  unknown: 'stroke-unknown',
  clock: 'stroke-clock',
  fault: 'stroke-fault',
}

export function FanOutDrawing(props: FanOutDrawingProps): ReactElement {
  const { change, lanes, chosen, nameOf, onChoose } = props
  const [frame, width] = useWidth()
  const layout = layOutFanOut(lanes, width)
  return (
    <div ref={frame} className="shrink-0 py-4">
      {width === 0 ? undefined : (
        <div className="relative" style={{ width, height: layout.height }}>
          <svg
            aria-hidden="true"
            width={width}
            height={layout.height}
            className="pointer-events-none absolute inset-0"
          >
            {layout.places.map((place) => (
              <LaneLine key={place.lane.id} place={place} isChosen={place.lane.id === chosen} />
            ))}
          </svg>
          <ChangeCard change={change} box={layout.center} />
          <ul aria-label="Subscribers">
            {layout.places.map(({ lane, box }) => (
              <li key={lane.id} className="absolute" style={styleOf(box)}>
                <LaneCard
                  lane={lane}
                  name={nameOf(lane)}
                  isChosen={lane.id === chosen}
                  onChoose={() => onChoose(lane.id)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function LaneLine({
  place,
  isChosen,
}: {
  readonly place: LanePlace
  readonly isChosen: boolean
}): ReactElement {
  const { tone, line } = VERDICT_WORDS[place.lane.verdict]
  const { x, y } = place.end
  return (
    <g className={STROKES[tone]} fill="none" strokeWidth={isChosen ? 2.5 : 1.5}>
      <path
        d={place.path}
        strokeDasharray={line === 'faded' ? '2 6' : undefined}
        opacity={line === 'faded' ? 0.6 : 1}
      />
      {line === 'arrives' ? <circle cx={x} cy={y} r={3} className="fill-allowed" /> : undefined}
      {line === 'stopped' ? <path d={`M ${x} ${y - 7} V ${y + 7}`} strokeWidth={3} /> : undefined}
    </g>
  )
}

function ChangeCard({
  change,
  box,
}: {
  readonly change: JudgedChange
  readonly box: Box
}): ReactElement {
  return (
    <div
      style={styleOf(box)}
      className="absolute flex animate-arrive flex-col gap-1 overflow-hidden rounded-3 border-2 border-changed/60 bg-surface-1 p-3"
    >
      <p className="font-mono font-strong text-changed">{change.event}</p>
      <p className="truncate font-mono">{change.table}</p>
      <p className="line-clamp-3 font-mono text-small break-all text-ink-dim">
        {rowInALine(change.row)}
      </p>
    </div>
  )
}

function styleOf({ left, top, width, height }: Box) {
  return { left, top, width, height }
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (frame.current === null) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return [frame, width] as const
}
