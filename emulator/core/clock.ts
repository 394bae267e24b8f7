// The two meanings of time. Platform time (`clock`) rules everything that expires or is stamped and can be frozen
// or moved; wall time (`wallClock`) rules transport: statement deadlines, heartbeats, durations. Same type, two parameters.
import { type EpochMillis, epochMillis } from './time.ts'

/** Stops a task that has not run yet; harmless afterwards. */
export type Cancel = () => void

/** Tells the time and runs a task when it is due. */
export interface Clock {
  now(): EpochMillis
  /** Runs `task` once, `delayMillis` milliseconds of this clock from now. */
  after(delayMillis: number, task: () => void): Cancel
}

/** Runs the task of a timer, for which no caller could catch what it throws. */
export type TaskRunner = (task: () => void) => void

const RUN_BARE: TaskRunner = (task) => task()

/** Longest delay of Node's timers (2^31 - 1 ms, 24.8 days). A longer or a negative one would run at once, with a warning. */
const MAX_DELAY_MILLIS = 2 ** 31 - 1

/**
 * The machine's own time. A pending task does not keep the process alive. Delays may have any length; one that is negative
 * or not a number counts as 0.
 */
export class SystemClock implements Clock {
  readonly #run: TaskRunner

  constructor(run: TaskRunner = RUN_BARE) {
    this.#run = run
  }

  now(): EpochMillis {
    return epochMillis(Date.now())
  }

  after(delayMillis: number, task: () => void): Cancel {
    let timer: NodeJS.Timeout
    const arm = (remaining: number): void => {
      const delay = Math.min(remaining, MAX_DELAY_MILLIS)
      const next = (): void => (remaining > delay ? arm(remaining - delay) : this.#run(task))
      timer = setTimeout(next, delay)
      timer.unref()
    }
    arm(Math.max(delayMillis, 0) || 0)
    return () => clearTimeout(timer)
  }
}

interface DueTask {
  readonly due: EpochMillis
  readonly task: () => void
}

/** A clock that stands still until it is told to move. Tasks run while it passes their due instant, in order. */
export class ManualClock implements Clock {
  #now: EpochMillis
  #tasks: readonly DueTask[] = []

  constructor(start: EpochMillis) {
    this.#now = start
  }

  now(): EpochMillis {
    return this.#now
  }

  after(delayMillis: number, task: () => void): Cancel {
    const entry: DueTask = { due: epochMillis(this.#now + delayMillis), task }
    this.#tasks = [...this.#tasks, entry].sort((a, b) => a.due - b.due)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry)
    }
  }

  /** Moves forward by `millis` milliseconds and runs what falls due on the way. */
  advance(millis: number): void {
    this.set(epochMillis(this.#now + millis))
  }

  /** Jumps to `instant`; going back runs nothing. */
  set(instant: EpochMillis): void {
    for (let next = this.#tasks[0]; next && next.due <= instant; next = this.#tasks[0]) {
      this.#tasks = this.#tasks.slice(1)
      if (next.due > this.#now) this.#now = next.due
      next.task()
    }
    this.#now = instant
  }
}
