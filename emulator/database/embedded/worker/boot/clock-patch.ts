// The database worker's clock. Postgres in wasm asks the JavaScript host for the time, so moving `Date.now` in this thread
// moves `now()`, `clock_timestamp()` and column defaults. serve.ts installs the patch before the engine is loaded.
import type { PlatformTime } from '../../../../core/platform-clock.ts'

const realNow = Date.now.bind(Date)

let time: PlatformTime = { kind: 'offset', offsetMillis: 0 }

/** Replaces `Date.now`. */
export function installClockPatch(start: PlatformTime): void {
  time = start
  Date.now = platformNow
  boundTimers()
}

/** Longest delay of a JavaScript timer. Node runs a timer with a longer or negative delay at once, with a warning. */
const MAX_WAIT_MILLIS = 2 ** 31 - 1

// Limits the delays of timers. Postgres computes delays from platform time, so a deadline may be years away or past.
function boundTimers(): void {
  const { setTimeout } = globalThis
  const bounded = (task: () => void, millis = 0, ...rest: []): NodeJS.Timeout =>
    setTimeout(task, Math.min(Math.max(millis, 0), MAX_WAIT_MILLIS), ...rest)
  globalThis.setTimeout = Object.assign(bounded, setTimeout) as typeof setTimeout
}

/** Moves the clock from now on. */
export function setPlatformTime(next: PlatformTime): void {
  time = next
}

/** Milliseconds since the Unix epoch as SQL sees them. */
function platformNow(): number {
  return time.kind === 'frozen' ? time.at : realNow() + time.offsetMillis
}

export function platformTime(): PlatformTime {
  return time
}
