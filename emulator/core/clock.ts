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

/** The machine's own time. A pending task does not keep the process alive. */
export class SystemClock implements Clock {
  now(): EpochMillis {
    return epochMillis(Date.now())
  }

  after(delayMillis: number, task: () => void): Cancel {
    const timer = setTimeout(task, delayMillis)
    timer.unref()
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
