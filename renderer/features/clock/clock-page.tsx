// The clock screen, where the user freezes, sets and advances platform time. Tokens, codes and quotas expire by platform
// time.
import { Clock, RotateCcw, Snowflake } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ClockCommand, ClockState } from '../../../emulator/contract/clock.ts'
import { moveClock } from '../../api/clock.ts'
import { useClock } from '../../api/platform-clock.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { type Action, useAction } from '../../ui/form-action.ts'
import { exactTime, formatDuration } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useNow } from '../../ui/platform-time.ts'
import { AdvancePanel, FreezePanel, SetPanel } from './clock-controls.tsx'
import { ExpiryReceiptPanel } from './expiry-receipt.tsx'
import { ExpiryTimeline } from './expiry-timeline.tsx'

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })

export function ClockPage(): ReactElement {
  const move = useAction<ClockCommand, unknown>({
    work: moveClock,
    // Reloads all screens, because tokens, codes and quotas on any screen may have expired.
    stale: [[]],
    failure: 'Could not change the clock',
  })
  return (
    <>
      <PageHeader title="Clock" />
      <Loaded query={useClock()} what="the clock" lines={5}>
        {(state) => (
          <div className="min-h-0 flex-1 overflow-auto">
            <div className="mx-auto flex max-w-[960px] flex-col gap-4 p-6">
              <ClockFace state={state} move={move} />
              <ExpiryReceiptPanel />
              <ExpiryTimeline move={move} />
              <div className="grid gap-4 md:grid-cols-2">
                <AdvancePanel move={move} />
                <SetPanel move={move} />
              </div>
              <FreezePanel state={state} move={move} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Shows platform time in large digits, and its difference from real time. */
function ClockFace(props: {
  readonly state: ClockState
  readonly move: Action<ClockCommand>
}): ReactElement {
  const { state, move } = props
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
        <p className="text-ink-dim">{weekday.format(now)}</p>
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
            <Chip tone="clock" icon={<Snowflake />}>
              frozen
            </Chip>
          ) : undefined}
          {isMoved && (
            <Chip tone="clock">
              {formatDuration(Math.abs(Math.round(state.offset_ms / 1_000) * 1_000))}{' '}
              {state.offset_ms > 0 ? 'ahead of' : 'behind'} real time
            </Chip>
          )}
          {isReal && (
            <Chip tone="neutral" icon={<Clock />}>
              real time
            </Chip>
          )}
        </div>
        <Button
          icon={<RotateCcw />}
          disabled={isReal}
          isBusy={move.isPending}
          onClick={() => move.mutate({ reset: true })}
        >
          Reset clock
        </Button>
      </div>
      {!isReal && !state.moves_sql_time && (
        <p className="basis-full text-small text-ink-dim">
          SQL’s now() does not follow, because the PostgreSQL server keeps its own time. Tokens,
          codes, links and quotas follow.
        </p>
      )}
    </section>
  )
}
