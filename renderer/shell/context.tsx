// The context that every screen obeys: tenant, identity, platform time and armed faults. Colours mark an identity other than the
// owner, a moved or frozen clock, and armed faults. The first two also put a frame around the screen.
import { Link } from '@tanstack/react-router'
import { Clock, Footprints, Snowflake, Zap } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useFaults } from '../api/faults.ts'
import { useLive } from '../api/live.ts'
import { useClock } from '../api/platform-clock.ts'
import { useActingAs } from '../parts/acting-as.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { IdentityPicker } from '../parts/identity-picker.tsx'
import { cx } from '../ui/cx.ts'
import { exactTime, formatDuration } from '../ui/format.ts'
import { useNow } from '../ui/platform-time.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { TenantSwitcher } from './tenant-switcher.tsx'

/** Offset in milliseconds from which the clock counts as moved. Smaller offsets are inaccuracies of the measurement. */
const MOVED_FROM = 1_000

export function Context(): ReactElement {
  return (
    <>
      <TenantSwitcher />
      <Identity />
      <ClockChip />
      <FaultChip />
    </>
  )
}

/** Frames a screen while it shows another identity than the owner, or another time than the real one. */
export function ContextFrame({ children }: { readonly children: ReactNode }): ReactElement {
  const { identity } = useActingAs()
  const { isReal } = useClockState()
  return (
    <main className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {children}
      {(identity !== null || !isReal) && (
        <div
          data-testid="context-frame"
          className="pointer-events-none absolute inset-0 z-30 border-2 border-clock/60"
        />
      )}
    </main>
  )
}

function Identity(): ReactElement | undefined {
  const tenant = useCurrentTenant()
  const { identity, actAs } = useActingAs()
  if (tenant === undefined) return undefined
  return (
    <>
      <IdentityPicker
        tenant={tenant}
        label="Act as"
        value={identity}
        hasOwner
        onChange={actAs}
        className={cx(
          'w-48 max-md:w-40',
          identity !== null && 'border-clock/50! bg-clock-tint text-clock!',
        )}
      />
      {identity?.kind === 'user' && <FollowLink tenant={tenant} />}
    </>
  )
}

/** Opens the screen that follows the user's activity. The link keeps the identity in the address. */
function FollowLink({ tenant }: { readonly tenant: string }): ReactElement {
  return (
    <Tooltip text="Follow this user" keys="g w">
      <Link
        to="/t/$tenant/follow"
        params={{ tenant }}
        className="inline-flex h-7 shrink-0 items-center gap-2 rounded-1 border border-clock/50 bg-clock-tint px-2 text-clock transition-colors hover:border-clock"
      >
        <Footprints className="size-4" />
        <span className="max-lg:sr-only">Follow</span>
      </Link>
    </Tooltip>
  )
}

/** Shows platform time. The time is coloured while the clock is moved or frozen. */
function ClockChip(): ReactElement {
  const { isReal, isFrozen, offset } = useClockState()
  const now = useNow()
  const word = isFrozen ? 'frozen' : isReal ? 'real time' : signed(offset)
  const Icon = isFrozen ? Snowflake : Clock
  return (
    <Tooltip text={`Platform time: ${exactTime(now)}`} keys="g c">
      <Link
        to="/clock"
        className={cx(
          'inline-flex h-7 shrink-0 items-center gap-2 rounded-1 border px-2 transition-colors',
          isReal
            ? 'border-line-strong text-ink-dim hover:bg-surface-2 hover:text-ink'
            : 'border-clock/50 bg-clock-tint text-clock hover:border-clock',
        )}
      >
        <Icon className="size-4" />
        <span className="sr-only">Platform clock</span>
        <span className="tabular-nums max-lg:sr-only">{exactTime(now).slice(0, 19)}</span>
        <span className="text-small">{word}</span>
      </Link>
    </Tooltip>
  )
}

/** Shows on every screen that faults are armed, because injected responses look like the platform's own. */
function FaultChip(): ReactElement | undefined {
  const reported = useLive((snapshot) => snapshot.armedFaults)
  const armed = useFaults().data?.faults.length ?? reported
  if (armed === 0) return undefined
  return (
    <span role="status" className="contents">
      <Tooltip text="Matching requests fail or slow down." keys="g f">
        <Link
          to="/faults"
          className="inline-flex h-7 shrink-0 items-center gap-2 rounded-1 border border-fault/50 bg-fault-tint px-2 text-fault hover:border-fault"
        >
          <Zap className="size-4" />
          <span className="max-lg:sr-only">
            {armed === 1 ? 'A fault is armed' : `${armed} faults are armed`}
          </span>
        </Link>
      </Tooltip>
    </span>
  )
}

interface ClockState {
  readonly isReal: boolean
  readonly isFrozen: boolean
  /** Milliseconds between platform time and real time. */
  readonly offset: number
}

function useClockState(): ClockState {
  const { data: clock } = useClock()
  const offset = clock?.offset_ms ?? 0
  const isFrozen = clock?.frozen === true
  return { isReal: !isFrozen && Math.abs(offset) < MOVED_FROM, isFrozen, offset }
}

function signed(offsetMillis: number): string {
  return `${offsetMillis > 0 ? '+' : ''}${formatDuration(Math.round(offsetMillis / 1_000) * 1_000)}`
}
