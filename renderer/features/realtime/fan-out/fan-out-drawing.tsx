// Draws the fan-out of a change as cards, with curves behind the cards. The line to a subscriber ends in a dot when the change
// was delivered, and in a bar when it was stopped. The line is dotted and pale when the channel's event or filter did not match.
import { type ReactElement, useRef } from 'react'
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import { ChangeVerdictChip } from '../../../parts/change-verdict-chip.tsx'
import { VERDICT_WORDS, type VerdictTone } from '../../../parts/change-verdicts.ts'
import { changeInALine } from '../../../parts/row-text.ts'
import { cx } from '../../../ui/cx.ts'
import { formatDuration } from '../../../ui/format.ts'
import { middleTruncate } from '../../../ui/truncate.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { type Box, type LanePlace, layOutFanOut } from './fan-out-layout.ts'
import { channelName, type Lane } from './fan-out-model.ts'

export interface FanOutDrawingProps {
  readonly change: JudgedChange
  readonly lanes: readonly Lane[]
  /** The id of the lane that the user selected. */
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
  const frame = useRef<HTMLDivElement>(null)
  const width = Math.floor(useWidth(frame) ?? 0)
  const layout = layOutFanOut(lanes, width)
  return (
    <div ref={frame} className="shrink-0 py-4">
      {width !== 0 && (
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

function LaneLine(props: { readonly place: LanePlace; readonly isChosen: boolean }): ReactElement {
  const { place, isChosen } = props
  const { tone, line } = VERDICT_WORDS[place.lane.verdict]
  const { x, y } = place.end
  return (
    <g className={STROKES[tone]} fill="none" strokeWidth={isChosen ? 2.5 : 1.5}>
      <path
        d={place.path}
        strokeDasharray={line === 'faded' ? '2 6' : undefined}
        opacity={line === 'faded' ? 0.6 : 1}
      />
      {line === 'arrives' && <circle cx={x} cy={y} r={3} className="fill-allowed" />}
      {line === 'stopped' && <path d={`M ${x} ${y - 7} V ${y + 7}`} strokeWidth={3} />}
    </g>
  )
}

interface LaneCardProps {
  readonly lane: Lane
  /** The subscriber's display name. */
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function LaneCard({ lane, name, isChosen, onChoose }: LaneCardProps): ReactElement {
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
        VERDICT_WORDS[lane.verdict].line === 'stopped' && 'hidden-row border-dashed',
      )}
    >
      <span className="w-full truncate" title={name}>
        {middleTruncate(name, 36)}
      </span>
      <span
        className="w-full truncate font-mono text-small text-ink-dim"
        title={lane.topics.join('\n')}
      >
        {channelName(first)}
        {lane.topics.length > 1 ? ` and ${lane.topics.length - 1} more` : ''}
      </span>
      <ChangeVerdictChip
        verdict={lane.verdict}
        {...(lane.latencyMillis === null
          ? {}
          : { detail: `after ${formatDuration(lane.latencyMillis)}` })}
      />
    </button>
  )
}

function ChangeCard(props: { readonly change: JudgedChange; readonly box: Box }): ReactElement {
  const { change, box } = props
  return (
    <div
      style={styleOf(box)}
      className="absolute flex animate-arrive flex-col gap-1 overflow-hidden rounded-3 border-2 border-changed/60 bg-surface-1 p-3"
    >
      <p className="font-mono font-strong text-changed">{change.event}</p>
      <p className="truncate font-mono">{change.table}</p>
      <p className="line-clamp-3 font-mono text-small break-all text-ink-dim">
        {changeInALine(change)}
      </p>
    </div>
  )
}

function styleOf({ left, top, width, height }: Box) {
  return { left, top, width, height }
}
