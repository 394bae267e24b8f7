// The interface between the queue and the database worker. worker-host.ts implements it; tests script it.
import type { Observer } from '../../../core/observation.ts'
import type {
  DoneReply,
  PartialReply,
  RefusedReply,
  StatementReply,
  WorkerRequest,
} from '../worker-protocol.ts'

/** Receives the worker's messages once it is ready. */
export interface WorkerListener {
  onReply(reply: DoneReply | RefusedReply): void
  /** Called with a part of the running job's answer. */
  onPartial(reply: PartialReply): void
  /** Called when a statement of the running job has begun. */
  onStatement(reply: StatementReply): void
  /** Called when these parked jobs were granted the advisory locks that they waited for. */
  onGranted(tickets: readonly number[]): void
  /** Called when the worker has ended unexpectedly. Call `start` for a new worker. */
  onDeath(reason: string): void
}

export interface EngineWorker {
  /** True when committed data survives the worker's end. */
  readonly isDurable: boolean
  readonly mayCancel: boolean
  /** The limit of memory above which an idle engine is restarted. */
  readonly recycleAboveBytes: number
  readonly observe: Observer
  listen(listener: WorkerListener): void
  /** Starts a worker and waits until its self-test has passed. @throws {SqlError} 57P02 with the reason */
  start(): Promise<void>
  post(request: WorkerRequest): void
  /** Takes back a posted job. Returns false when the worker has begun the job. */
  withdraw(id: number): boolean
  /** Passes COPY data to the turn that waits for the data. */
  feed(messages: Uint8Array): void
  /** Whether the worker has begun the job. */
  hasBegun(id: number): boolean
  /** Whether the job still runs the statement with this number. */
  isAtStatement(id: number, sequence: number): boolean
  /**
   * Raises a cancel if the job's statements run at this moment. The engine may miss a cancel, so repeat the call until the job
   * ends.
   */
  cancel(id: number): boolean
  /** Lets the worker flush everything, then ends the worker, after `withinMillis` at the latest. */
  stop(id: number, withinMillis: number): Promise<void>
  /** Ends the worker at once; the listener is not called. */
  terminate(): Promise<void>
}
