// The time itself, large, with how it relates to this machine's.
import { Clock, RotateCcw, Snowflake } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ClockState } from '../../../emulator/contract/clock.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { exactTime, formatDuration } from '../../ui/format.ts'
import { useNow } from '../../ui/platform-time.ts'
import type { ClockMoves } from './use-clock-moves.ts'

export function ClockFace({
  state,
  moves,
}: {
  readonly state: ClockState
  readonly moves: ClockMoves
}): ReactElement {
  const now = useNow()
  const text = exactTime(now)
  const isMoved = Math.abs(state.offset_ms) >= 1_000
  const isReal = !isMoved && !state.frozen
  return (
    <section
      aria-label="Platform time"
      className={cx(
        'flex flex-wrap items-end gap-x-6 gap-y-3 rounded-3 border p-6',
        isReal ? 'bg-surface-1' : 'border-clock/40 bg-clock/5',
      )}
    >
      <div className="flex flex-col gap-2">
        <p className="text-ink-dim">{dayOf(now)}</p>
        <p
          role="timer"
          data-testid="clock-face"
          className={cx('font-mono text-[40px] leading-none tabular-nums', !isReal && 'text-clock')}
        >
          {text.slice(0, 10)} {text.slice(11, 19)}
        </p>
        <p className="text-small text-ink-dim">UTC</p>
      </div>
      <div className="ml-auto flex flex-col items-end gap-2">
        <div className="flex gap-2">
          {state.frozen ? (
            <Chip tone="clock" icon={<Snowflake aria-hidden="true" />}>
              frozen
            </Chip>
          ) : undefined}
          {isMoved ? (
            <Chip tone="clock">
              {formatDuration(Math.abs(Math.round(state.offset_ms / 1_000) * 1_000))}{' '}
              {state.offset_ms > 0 ? 'ahead of' : 'behind'} real time
            </Chip>
          ) : undefined}
          {isReal ? (
            <Chip tone="neutral" icon={<Clock aria-hidden="true" />}>
              real time
            </Chip>
          ) : undefined}
        </div>
        <Button
          icon={<RotateCcw aria-hidden="true" />}
          disabled={isReal}
          isBusy={moves.isBusy}
          onClick={() => moves.move({ reset: true })}
        >
          Reset to real time
        </Button>
      </div>
    </section>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })

function dayOf(millis: number): string {
  return day.format(millis)
}
