// Implements platform time: a wall clock with an offset, or a frozen time. When the time is moved, tasks that become due run
// immediately, in order.
import type { Cancel, Clock, TaskRunner } from './clock.ts'
import { EmulatorError } from './errors.ts'
import { type EpochMillis, epochMillis, toIso } from './time.ts'

/**
 * Range of platform time: 0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z. Years of four digits have the same text in ISO
 * 8601 and SQL.
 */
const EARLIEST = epochMillis(-62_135_596_800_000)
const LATEST = epochMillis(253_402_300_799_999)

/** Whether platform time can be set to this instant. */
export function isPlatformInstant(instant: EpochMillis): boolean {
  return instant >= EARLIEST && instant <= LATEST
}

export const PLATFORM_RANGE: string = `from ${toIso(EARLIEST)} to ${toIso(LATEST)}`

/** Thrown when platform time would move out of its range. */
export class ClockRangeError extends EmulatorError {
  override readonly code = 'clock_out_of_range'

  constructor() {
    super('The clock cannot move to this time.', {
      hint: `Platform time ranges ${PLATFORM_RANGE}. Choose a time in this range, or reset the clock.`,
    })
  }
}

/** Platform time relative to wall time. */
export type PlatformTime =
  | { readonly kind: 'offset'; readonly offsetMillis: number }
  | { readonly kind: 'frozen'; readonly at: EpochMillis }

/** Called when platform time is moved. For example, the engine then changes SQL's `now()`, too. */
export type TimeListener = (time: PlatformTime) => void

interface DueTask {
  readonly due: EpochMillis
  readonly task: () => void
}

export class PlatformClock implements Clock {
  readonly #wallClock: Clock
  readonly #listeners: TimeListener[] = []
  #time: PlatformTime
  #tasks: readonly DueTask[] = []
  readonly #run: TaskRunner
  #disarm: Cancel | undefined

  /** @param run runs each task that becomes due; must not throw */
  constructor(
    wallClock: Clock,
    time: PlatformTime = { kind: 'offset', offsetMillis: 0 },
    run: TaskRunner = (task) => task(),
  ) {
    this.#wallClock = wallClock
    this.#time = time
    this.#run = run
  }

  get time(): PlatformTime {
    return this.#time
  }

  now(): EpochMillis {
    return this.#instantOf(this.#time)
  }

  after(delayMillis: number, task: () => void): Cancel {
    const entry: DueTask = { due: epochMillis(this.now() + delayMillis), task }
    this.#tasks = [...this.#tasks, entry].sort((a, b) => a.due - b.due)
    this.#arm()
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry)
      this.#arm()
    }
  }

  /** Calls `listener` each time platform time is moved. */
  onMove(listener: TimeListener): void {
    this.#listeners.push(listener)
  }

  /** Freezes at the current instant, or at `instant`. @throws {ClockRangeError} */
  freeze(instant: EpochMillis = this.now()): void {
    this.#moveInRange({ kind: 'frozen', at: instant })
  }

  /**
   * Moves platform time by `millis`; a negative number moves it back. A frozen clock stays frozen. @throws {ClockRangeError}
   */
  advance(millis: number): void {
    const time = this.#time
    this.#moveInRange(
      time.kind === 'frozen'
        ? { kind: 'frozen', at: epochMillis(time.at + millis) }
        : { kind: 'offset', offsetMillis: time.offsetMillis + millis },
    )
  }

  /** Sets the current instant. A running clock continues from that instant. @throws {ClockRangeError} */
  set(instant: EpochMillis): void {
    this.advance(instant - this.now())
  }

  /** Lets a frozen clock run again from the instant at which it was frozen. */
  resume(): void {
    this.#move({ kind: 'offset', offsetMillis: this.now() - this.#wallClock.now() })
  }

  /** Sets platform time back to the machine's time. */
  reset(): void {
    this.#move({ kind: 'offset', offsetMillis: 0 })
  }

  /** Restores a stored time. The machine's time replaces a stored time out of range, which older releases could store. */
  put(time: PlatformTime): void {
    if (isPlatformInstant(this.#instantOf(time))) this.#move(time)
    else this.reset()
  }

  #instantOf(time: PlatformTime): EpochMillis {
    if (time.kind === 'frozen') return time.at
    return epochMillis(this.#wallClock.now() + time.offsetMillis)
  }

  // Checks the range first. With an instant outside the range of `Date`, every later request would fail.
  #moveInRange(time: PlatformTime): void {
    if (!isPlatformInstant(this.#instantOf(time))) throw new ClockRangeError()
    this.#move(time)
  }

  #move(time: PlatformTime): void {
    this.#time = time
    for (const listener of this.#listeners) listener(time)
    this.#runDue()
  }

  #runDue(): void {
    for (let next = this.#tasks[0]; next && next.due <= this.now(); next = this.#tasks[0]) {
      this.#tasks = this.#tasks.slice(1)
      this.#run(next.task)
    }
    this.#arm()
  }

  #arm(): void {
    this.#disarm?.()
    this.#disarm = undefined
    const next = this.#tasks[0]
    if (next === undefined || this.#time.kind === 'frozen') return
    this.#disarm = this.#wallClock.after(next.due - this.now(), () => this.#runDue())
  }
}
