// The waiting jobs. Projects take turns, so that many jobs of one project do not delay the jobs of other projects. Jobs of one
// project keep their order. A job without a lane, such as a change of the clock, waits for all earlier jobs, and all later jobs
// wait for it.

/** Jobs between two jobs without a lane, by lane. The next job comes from the first lane, which then moves to the end. */
type Lanes<Job> = Map<string, Job[]>

export class FairQueue<Job extends object> {
  readonly #laneOf: (job: Job) => string | undefined
  /** Jobs that were taken before and must run again before all others. */
  readonly #front: Job[] = []
  readonly #sections: (Lanes<Job> | Job)[] = []
  #size = 0

  /** @param laneOf returns the lane of a job. Jobs of one lane keep their order. Returns `undefined` for a job without a lane */
  constructor(laneOf: (job: Job) => string | undefined) {
    this.#laneOf = laneOf
  }

  get size(): number {
    return this.#size
  }

  push(job: Job): void {
    this.#size += 1
    const lane = this.#laneOf(job)
    if (lane === undefined) {
      this.#sections.push(job)
      return
    }
    let lanes = this.#sections.at(-1)
    if (!(lanes instanceof Map)) {
      lanes = new Map()
      this.#sections.push(lanes)
    }
    const jobs = lanes.get(lane)
    if (jobs === undefined) lanes.set(lane, [job])
    else jobs.push(job)
  }

  /** Puts a job before all others. */
  putFirst(job: Job): void {
    this.#size += 1
    this.#front.unshift(job)
  }

  take(): Job | undefined {
    if (this.#size === 0) return undefined
    this.#size -= 1
    const again = this.#front.shift()
    if (again !== undefined) return again
    const section = this.#sections[0]
    if (!(section instanceof Map)) return this.#sections.shift() as Job
    const [lane = '', jobs = []] = section.entries().next().value ?? []
    const job = jobs.shift()
    section.delete(lane)
    if (jobs.length > 0) section.set(lane, jobs)
    else if (section.size === 0) this.#sections.shift()
    return job
  }

  /** Removes a job. Returns false when the queue does not contain the job. */
  remove(job: Job): boolean {
    const rest = [...this]
    const place = rest.indexOf(job)
    if (place < 0) return false
    rest.splice(place, 1)
    this.#refill(rest)
    return true
  }

  takeAll(): Job[] {
    const all = [...this]
    this.#refill([])
    return all
  }

  /** Yields all jobs. The jobs of each lane keep their order. */
  *[Symbol.iterator](): Generator<Job> {
    yield* this.#front
    for (const section of this.#sections)
      if (section instanceof Map) for (const jobs of section.values()) yield* jobs
      else yield section
  }

  #refill(jobs: readonly Job[]): void {
    const first = new Set(this.#front)
    this.#front.length = 0
    this.#sections.length = 0
    this.#size = 0
    for (const job of jobs)
      if (first.has(job)) {
        this.#front.push(job)
        this.#size += 1
      } else this.push(job)
  }
}
