// Schedules callbacks for many values with one timer of the platform clock. Moving or freezing the clock therefore affects all
// callbacks (docs/wire/realtime.md#tokens).
import type { Cancel, Clock } from '../../../core/clock.ts'
import { type EpochMillis, SECOND_MILLIS } from '../../../core/time.ts'

/** Keeps values with their due times, which are rounded up to seconds. */
export class DueWatch<Watched> {
  readonly #clock: Clock
  readonly #onDue: (watched: Watched) => void
  readonly #bySecond = new Map<number, Set<Watched>>()
  readonly #secondOf = new Map<Watched, number>()
  #armedFor = Number.POSITIVE_INFINITY
  #disarm: Cancel | undefined

  constructor(clock: Clock, onDue: (watched: Watched) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  /** Schedules the callback at `due`. Replaces an earlier schedule of the same value. */
  watch(watched: Watched, due: EpochMillis): void {
    this.unwatch(watched)
    const second = Math.ceil(due / SECOND_MILLIS)
    const others = this.#bySecond.get(second) ?? new Set<Watched>()
    this.#bySecond.set(second, others.add(watched))
    this.#secondOf.set(watched, second)
    if (second < this.#armedFor) this.#arm(second)
  }

  unwatch(watched: Watched): void {
    const second = this.#secondOf.get(watched)
    if (second === undefined) return
    this.#secondOf.delete(watched)
    const others = this.#bySecond.get(second)
    others?.delete(watched)
    if (others?.size === 0) this.#bySecond.delete(second)
    if (this.#bySecond.size === 0) this.#arm(Number.POSITIVE_INFINITY)
  }

  #arm(second: number): void {
    this.#disarm?.()
    this.#disarm = undefined
    this.#armedFor = second
    if (second === Number.POSITIVE_INFINITY) return
    const wait = second * SECOND_MILLIS - this.#clock.now()
    this.#disarm = this.#clock.after(wait, () => this.#ring())
  }

  #ring(): void {
    const now = this.#clock.now()
    const due = [...this.#bySecond].filter(([second]) => second * SECOND_MILLIS <= now)
    for (const [second, group] of due) {
      this.#bySecond.delete(second)
      for (const watched of group) this.#secondOf.delete(watched)
    }
    this.#arm(Math.min(...this.#bySecond.keys()))
    for (const [, group] of due) for (const watched of group) this.#onDue(watched)
  }
}
