// Shows instants, durations and sizes in lists. Instants are relative to platform time. Hovering over an instant shows
// the exact instant.
import type { ReactElement } from 'react'
import { exactTime, formatBytes, formatDuration, relativeTime, timeOfDay } from './format.ts'
import { useNow, usePlatformTime } from './platform-time.ts'

export interface TimestampProps {
  /** The instant in ISO 8601, or `null` for never. */
  readonly at: string | null
  readonly format?: 'relative' | 'exact' | 'time'
  /** Whether the instant is of something that happened, which a clock that was set back can put into the future. */
  readonly isPast?: boolean
}

export function Timestamp(props: TimestampProps): ReactElement {
  const { at, format = 'relative', isPast = false } = props
  const { parse } = usePlatformTime()
  const millis = at === null ? undefined : parse(at)
  if (at === null || millis === undefined)
    return <span className="text-ink-dim">{at ?? 'never'}</span>
  if (isPast) return <PastTime at={millis} iso={at} format={format} />
  return (
    <time dateTime={at} title={exactTime(millis)} className="whitespace-nowrap tabular-nums">
      {format === 'relative' && <Relative at={millis} />}
      {format === 'exact' ? exactTime(millis) : undefined}
      {format === 'time' ? timeOfDay(millis) : undefined}
    </time>
  )
}

/** Rounded, so that a list of requests does not render again each second. */
const STEP_MILLIS = 10_000

function PastTime(props: {
  readonly at: number
  readonly iso: string
  readonly format: 'relative' | 'exact' | 'time'
}): ReactElement {
  const { at, format, iso } = props
  const isAhead = at > useNow(STEP_MILLIS) + 2 * STEP_MILLIS
  if (!isAhead) return <Timestamp at={iso} format={format} />
  return (
    <time
      dateTime={iso}
      title={`${exactTime(at)}. The platform clock was set back since.`}
      className="whitespace-nowrap text-clock tabular-nums"
    >
      {format === 'exact' ? exactTime(at) : timeOfDay(at)}
    </time>
  )
}

function Relative({ at }: { readonly at: number }): string {
  return relativeTime(at, useNow())
}

export interface CountdownProps {
  /** ISO 8601. */
  readonly until: string
  /** Text to show after the time has passed. */
  readonly over?: string
}

/** Shows the remaining platform time until an instant. */
export function Countdown({ until, over = 'expired' }: CountdownProps): ReactElement {
  const { parse } = usePlatformTime()
  const now = useNow()
  const end = parse(until)
  if (end === undefined) return <span>{until}</span>
  return (
    <time dateTime={until} title={exactTime(end)} className="tabular-nums">
      {end <= now ? over : formatDuration(Math.floor((end - now) / 1_000) * 1_000)}
    </time>
  )
}

export function Duration({ millis }: { readonly millis: number }): ReactElement {
  return (
    <span title={`${millis} ms`} className="whitespace-nowrap tabular-nums">
      {formatDuration(millis)}
    </span>
  )
}

export function Bytes({ bytes }: { readonly bytes: number }): ReactElement {
  return (
    <span title={`${bytes} bytes`} className="whitespace-nowrap tabular-nums">
      {formatBytes(bytes)}
    </span>
  )
}
