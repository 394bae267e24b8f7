// One line in the terminal that shows where long work is: what, how many of how many, and the time left. Every command uses it.
// The line goes to standard error, only when that is a terminal, so piped output stays the same. It has no colors.
import { SystemClock } from '../core/clock.ts'
import { printable } from '../core/printable.ts'
import { SECOND_MILLIS } from '../core/time.ts'
import { type Terminal, terminal } from './terminal.ts'

/** Where the work is. */
export interface Place {
  /** Such as `Auditing aurora`. */
  readonly what: string
  /** Number of finished parts. Absent when the work has no countable parts. */
  readonly done?: number
  readonly total?: number
}

export interface LiveLine {
  /** Whether a user can see the line. */
  readonly isShown: boolean
  show(place: Place): void
}

export interface LiveOptions {
  /** What Ctrl-C leaves behind, one sentence. Absent: the command handles signals itself. */
  readonly afterInterrupt?: string
}

/** Wall-clock milliseconds before the line appears, so that short work shows none. */
const DELAY_MILLIS = 200
const PERIOD_MILLIS = 250
/** The exit code of a process that SIGINT ended (128 + 2). */
const INTERRUPTED = 130

/** For callers without a terminal. */
export const NO_LINE: LiveLine = { isShown: false, show: () => {} }

const quiet = new WeakSet<Terminal>()

/** Shows no line in this run of the command line. */
export function beQuiet(): void {
  quiet.add(terminal())
}

/**
 * Shows a line while `work` runs, and removes it at the end.
 * @param begin where the work is at its begin, or only what it is
 */
export async function showing<Result>(
  begin: Place | string,
  work: (line: LiveLine) => Promise<Result>,
  options: LiveOptions = {},
): Promise<Result> {
  const own = terminal()
  if (own.stderr.isTTY !== true || process.env['TERM'] === 'dumb' || quiet.has(own))
    return await work(NO_LINE)
  const { createLogUpdate } = await import('log-update')
  // With a hidden cursor, the library would handle signals.
  const update = createLogUpdate(own.stderr, { showCursor: true })
  const shown = new ShownWork(typeof begin === 'string' ? { what: begin } : begin)
  const draw = (): void => update(shown.text(own.stderr.columns))
  const stop = repeat(draw)
  const clear = (): void => {
    stop()
    update.clear()
  }
  const interrupt = (): void => {
    clear()
    own.stderr.write(`tenantry: ${shown.interrupted(options.afterInterrupt ?? '')}\n`)
    own.exit(INTERRUPTED)
  }
  own.on('exit', clear)
  if (options.afterInterrupt !== undefined) own.on('SIGINT', interrupt)
  try {
    return await work({ isShown: true, show: (place) => shown.move(place) })
  } finally {
    clear()
    own.off('exit', clear)
    own.off('SIGINT', interrupt)
  }
}

/** Calls `draw` until the returned function is called. */
function repeat(draw: () => void): () => void {
  const clock = new SystemClock()
  const again = (): void => {
    draw()
    stop = clock.after(PERIOD_MILLIS, again)
  }
  let stop = clock.after(DELAY_MILLIS, again)
  return () => stop()
}

class ShownWork {
  readonly #clock = new SystemClock()
  readonly #startedAt = this.#clock.now()
  #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  move(place: Place): void {
    this.#place = place
  }

  /** @param columns width of the terminal; a line as wide as the terminal would wrap */
  text(columns = 80): string {
    const parts = [this.#count(), `${printable(this.#place.what)} …`, this.#time()]
    const text = parts.filter((part) => part !== '').join('  ')
    return text.length < columns ? text : `${text.slice(0, Math.max(columns - 2, 1))}…`
  }

  interrupted(consequence: string): string {
    const { done, total, what } = this.#place
    const count = total === undefined ? '' : ` ${done} of ${total} were done.`
    return `Interrupted at: ${printable(what)}.${count} ${consequence}`.trimEnd()
  }

  #count(): string {
    const { done, total } = this.#place
    return total === undefined ? '' : `${done}/${total}`
  }

  // The time left is an estimate from the finished parts.
  #time(): string {
    const elapsed = this.#clock.now() - this.#startedAt
    const { done = 0, total } = this.#place
    if (total === undefined || done === 0) return seconds(elapsed)
    return `about ${seconds((elapsed / done) * (total - done))} left`
  }
}

function seconds(millis: number): string {
  const whole = Math.round(millis / SECOND_MILLIS)
  return whole < 100 ? `${whole} s` : `${Math.round(whole / 60)} min`
}
