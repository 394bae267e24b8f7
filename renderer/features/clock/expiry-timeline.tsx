// Shows what expires when on a timeline. Dragging its slider previews what would expire, and releasing it advances the
// clock. With the keyboard, arrow keys move the slider and Enter advances the clock.
import { FastForward } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ClockCommand, ExpiryList } from '../../../emulator/contract/clock.ts'
import { useExpiries } from '../../api/clock.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { Action } from '../../ui/form-action.ts'
import { countOf } from '../../ui/form-values.ts'
import { exactTime, formatDuration } from '../../ui/format.ts'
import { useNow } from '../../ui/platform-time.ts'
import { type Coming, comingFrom } from './coming-expiries.ts'
import { ExpiryTable } from './expiry-table.tsx'
import { expireText } from './texts.ts'
import { HORIZON_MILLIS, millisAt, POSITIONS, positionOf, TICKS } from './time-scale.ts'

interface TimelineProps {
  readonly move: Action<ClockCommand>
}

export function ExpiryTimeline({ move }: TimelineProps): ReactElement {
  return (
    <section
      aria-label="Upcoming expiries"
      className="flex flex-col gap-3 rounded-3 border bg-surface-1 p-4"
    >
      <h2 className="font-strong">Upcoming expiries</h2>
      <Loaded query={useExpiries()} what="the expiries" lines={4} since="Upcoming expiries">
        {(list) => <Timeline list={list} move={move} />}
      </Loaded>
    </section>
  )
}

function Timeline({ list, move }: TimelineProps & { readonly list: ExpiryList }): ReactElement {
  const [position, setPosition] = useState(0)
  const now = useNow()
  const { coming, total } = comingFrom(list, now)
  const chosen = millisAt(position)
  const due = position === 0 ? 0 : coming.filter(({ inMillis }) => inMillis <= chosen).length
  const label = position === 0 ? 'now' : `in ${formatDuration(chosen)}`
  const advance = (): void => {
    if (position === 0 || move.isPending) return
    move.mutate({ advance_ms: chosen })
    setPosition(0)
  }
  return (
    <>
      <p className="text-ink-dim">
        Drag the timeline to advance the clock. With the keyboard, press the arrow keys, then Enter.
      </p>
      <Track
        position={position}
        label={`${label}: ${expireText(due, total)}`}
        coming={coming}
        chosen={chosen}
        onMove={setPosition}
        onAdvance={advance}
      />
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className={cx(position === 0 ? 'text-ink-dim' : 'text-clock')}>
          {position === 0
            ? `${countOf(total, 'upcoming expiry', 'upcoming expiries')}.`
            : `${exactTime(now + chosen).slice(0, 19)} UTC: ${expireText(due, total)}`}
        </p>
        <span className="ml-auto">
          <Button
            icon={<FastForward />}
            disabled={position === 0}
            isBusy={move.isPending}
            onClick={advance}
          >
            {position === 0 ? 'Advance to this moment' : `Advance by ${formatDuration(chosen)}`}
          </Button>
        </span>
      </div>
      <ExpiryTable coming={coming} due={due} total={total} move={move} />
    </>
  )
}

function Track(props: {
  readonly position: number
  readonly label: string
  readonly coming: readonly Coming[]
  readonly chosen: number
  readonly onMove: (position: number) => void
  readonly onAdvance: () => void
}): ReactElement {
  const { position, label, coming, chosen, onMove, onAdvance } = props
  const marks = coming.filter(({ inMillis }) => inMillis <= HORIZON_MILLIS)
  return (
    <div className="flex flex-col gap-1">
      <div aria-hidden="true" className="relative mx-2 h-5 border-b border-line-strong">
        {marks.map(({ inMillis }, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: expiries have no id, and two can be equal
            key={place}
            style={{ left: `${(positionOf(inMillis) / POSITIONS) * 100}%` }}
            className={cx(
              'absolute bottom-0 h-4 w-[3px] -translate-x-1/2 rounded-1',
              position > 0 && inMillis <= chosen ? 'bg-clock' : 'bg-ink-dim/60',
            )}
          />
        ))}
      </div>
      <input
        type="range"
        aria-label="Advance the clock to"
        aria-valuetext={label}
        min={0}
        max={POSITIONS}
        step={5}
        value={position}
        className="h-5 w-full accent-clock"
        onChange={(event) => onMove(Number(event.target.value))}
        onPointerUp={onAdvance}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onAdvance()
          if (event.key === 'Escape') onMove(0)
        }}
      />
      <div aria-hidden="true" className="relative mx-2 h-5 text-small text-ink-dim">
        <span className="absolute left-0">now</span>
        {TICKS.map(([name, millis]) => (
          <span
            key={name}
            style={{ left: `${(positionOf(millis) / POSITIONS) * 100}%` }}
            className="absolute -translate-x-1/2 whitespace-nowrap last:translate-x-[-100%]"
          >
            {name}
          </span>
        ))}
      </div>
    </div>
  )
}
