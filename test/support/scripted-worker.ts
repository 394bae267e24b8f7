// Simulates the database worker in memory. A test decides when a job begins and ends, when the worker dies, and whether another
// worker starts.
import type { Observation } from '../../emulator/core/observation.ts'
import type {
  EngineWorker,
  WorkerListener,
} from '../../emulator/database/embedded/host/engine-worker.ts'
import type { LockWait, WorkerRequest } from '../../emulator/database/embedded/worker-protocol.ts'

export class ScriptedWorker implements EngineWorker {
  readonly isDurable = true
  mayCancel = true
  readonly recycleAboveBytes = 1 << 29
  readonly observed: Observation[] = []
  /** Jobs that the worker has not answered, in order. */
  readonly posted: WorkerRequest[] = []
  /** Ids of jobs that were cancelled. */
  readonly cancelled: number[] = []
  /** The reason why the next worker does not start. `undefined` lets it start. */
  problem: string | undefined
  starts = 0
  isClosed = false
  readonly #withdrawn = new Set<number>()
  #begun = 0
  #listener: WorkerListener | undefined

  observe(observation: Observation): void {
    this.observed.push(observation)
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener
  }

  async start(): Promise<void> {
    this.starts++
    this.posted.length = 0
    if (this.problem !== undefined) throw new Error(this.problem)
  }

  post(request: WorkerRequest): void {
    this.posted.push(request)
  }

  /** The worker begins the first job that was not withdrawn. */
  begin(): void {
    const job = this.posted[0]
    if (job === undefined) throw new Error('no job was posted')
    this.#begun = job.id
  }

  /** The worker answers that the first job must wait for an advisory lock. */
  park(ticket: number): void {
    this.answer({ ticket, lockTimeoutMillis: 0, statementTimeoutMillis: 0 })
  }

  grant(ticket: number): void {
    this.#listener?.onGranted([ticket])
  }

  /** The worker answers the first job. A withdrawn job gets an error. */
  answer(waits?: LockWait): void {
    const job = this.posted.shift()
    if (job === undefined) throw new Error('no job was posted')
    const { id } = job
    if (this.#withdrawn.has(id))
      this.#listener?.onReply({ kind: 'refused', id, sqlState: '57014', message: 'withdrawn' })
    else
      this.#listener?.onReply({
        kind: 'done',
        id,
        bytes: new Uint8Array(0),
        committed: true,
        ...(waits && { waits }),
        durationMillis: 1,
        heapBytes: 0,
      })
  }

  die(reason: string): void {
    this.#listener?.onDeath(reason)
  }

  withdraw(id: number): boolean {
    if (this.hasBegun(id)) return false
    this.#withdrawn.add(id)
    return true
  }

  feed(): void {}

  hasBegun(id: number): boolean {
    return this.#begun >= id
  }

  isAtStatement(): boolean {
    return true
  }

  cancel(id: number): boolean {
    this.cancelled.push(id)
    return true
  }

  async stop(): Promise<void> {
    this.isClosed = true
  }

  async terminate(): Promise<void> {
    this.isClosed = true
  }
}
