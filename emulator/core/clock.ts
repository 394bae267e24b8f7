// Two kinds of time that share one type. Platform time (`clock`) is for expiry and timestamps; users can freeze and move it.
// Wall time (`wallClock`) is for transport: statement deadlines, heartbeats, durations.
import { type EpochMillis, epochMillis } from './time.ts'

/** Cancels a task that has not run yet. */
export type Cancel = () => void

export interface Clock {
  now(): EpochMillis
  /** Runs `task` once, after `delayMillis` milliseconds of this clock. */
  after(delayMillis: number, task: () => void): Cancel
}

/** Runs a timer's task and handles its exceptions, because a timer has no caller. */
export type TaskRunner = (task: () => void) => void

const RUN_BARE: TaskRunner = (task) => task()

/** Longest delay of Node's timers (2^31 - 1 ms, 24.8 days). A longer or negative delay would run at once, with a warning. */
const MAX_DELAY_MILLIS = 2 ** 31 - 1

/**
 * The machine's time. A pending task does not keep the process alive. Delays can have any length; a negative delay or NaN
 * counts as 0.
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

/**
 * A clock that moves only when its methods are called. When the clock passes the due times of tasks, it runs these tasks in
 * order.
 */
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

  /** Moves forward by `millis` and runs the tasks that become due. */
  advance(millis: number): void {
    this.set(epochMillis(this.#now + millis))
  }

  /** Moves to `instant`. A move back runs no task. */
  set(instant: EpochMillis): void {
    for (let next = this.#tasks[0]; next && next.due <= instant; next = this.#tasks[0]) {
      this.#tasks = this.#tasks.slice(1)
      if (next.due > this.#now) this.#now = next.due
      next.task()
    }
    this.#now = instant
  }
}
