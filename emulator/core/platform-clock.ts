// Platform time over a wall clock: runs along with it, moved by an offset, or stands still. What falls due while it is
// moved runs at once, in order (design: "two clocks, by meaning").
import type { Cancel, Clock, TaskRunner } from './clock.ts'
import { type EpochMillis, epochMillis } from './time.ts'

/** How platform time relates to wall time. */
export type PlatformTime =
  | { readonly kind: 'offset'; readonly offsetMillis: number }
  | { readonly kind: 'frozen'; readonly at: EpochMillis }

/** Told whenever platform time is moved, so that SQL's `now()` can follow. */
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

  /** @param run runs each task that falls due; must not throw, or the tasks after it would not run */
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
    if (this.#time.kind === 'frozen') return this.#time.at
    return epochMillis(this.#wallClock.now() + this.#time.offsetMillis)
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

  /** Calls `listener` at every later move. */
  onMove(listener: TimeListener): void {
    this.#listeners.push(listener)
  }

  /** Stops at the present instant, or at `instant`. */
  freeze(instant: EpochMillis = this.now()): void {
    this.#move({ kind: 'frozen', at: instant })
  }

  /** Moves forward (or, negative, back) by `millis`; a frozen clock stays frozen. */
  advance(millis: number): void {
    const time = this.#time
    this.#move(
      time.kind === 'frozen'
        ? { kind: 'frozen', at: epochMillis(time.at + millis) }
        : { kind: 'offset', offsetMillis: time.offsetMillis + millis },
    )
  }

  /** Sets the present instant; a running clock runs on from there. */
  set(instant: EpochMillis): void {
    this.advance(instant - this.now())
  }

  /** Runs again from the instant at which it stands. */
  resume(): void {
    this.#move({ kind: 'offset', offsetMillis: this.now() - this.#wallClock.now() })
  }

  /** Goes back to the machine's own time. */
  reset(): void {
    this.#move({ kind: 'offset', offsetMillis: 0 })
  }

  /** Relates to wall time as it did when `time` was read. */
  put(time: PlatformTime): void {
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
