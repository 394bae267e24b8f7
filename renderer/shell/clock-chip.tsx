// Platform time, always in view: quiet while it is real, coloured when it was moved or stands still.
import { Link } from '@tanstack/react-router'
import { Clock, Snowflake } from 'lucide-react'
import type { ReactElement } from 'react'
import { useClock } from '../api/platform-clock.ts'
import { cx } from '../ui/cx.ts'
import { exactTime, formatDuration } from '../ui/format.ts'
import { useNow } from '../ui/platform-time.ts'
import { Tooltip } from '../ui/tooltip.tsx'

export function ClockChip(): ReactElement {
  const { data: clock } = useClock()
  const now = useNow()
  const offset = clock?.offset_ms ?? 0
  const isMoved = Math.abs(offset) >= 1_000
  const isReal = !isMoved && clock?.frozen !== true
  const word = clock?.frozen === true ? 'frozen' : isMoved ? signed(offset) : 'real time'
  const Icon = clock?.frozen === true ? Snowflake : Clock
  return (
    <Tooltip text={`Platform time: ${exactTime(now)}`} keys="g c">
      <Link
        to="/clock"
        className={cx(
          'inline-flex h-7 shrink-0 items-center gap-2 rounded-1 border px-2 transition-colors',
          isReal
            ? 'border-line-strong text-ink-dim hover:bg-surface-2 hover:text-ink'
            : 'border-clock/50 bg-clock/10 text-clock hover:bg-clock/20',
        )}
      >
        <Icon aria-hidden="true" className="size-4" />
        <span className="sr-only">Platform clock</span>
        <span className="tabular-nums">{exactTime(now).slice(0, 19)}</span>
        <span className="text-small">{word}</span>
      </Link>
    </Tooltip>
  )
}

function signed(offsetMillis: number): string {
  return `${offsetMillis > 0 ? '+' : ''}${formatDuration(Math.round(offsetMillis / 1_000) * 1_000)}`
}
