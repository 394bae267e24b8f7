// The port between the queue and the database worker. worker-host.ts implements it; tests script it.
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
  /** A part of the running job's answer. */
  onPartial(reply: PartialReply): void
  /** A statement of the running job has begun. */
  onStatement(reply: StatementReply): void
  /** The advisory locks that these parked jobs waited for were granted. */
  onGranted(tickets: readonly number[]): void
  /** The worker has ended unexpectedly; `start` starts another one. */
  onDeath(reason: string): void
}

export interface EngineWorker {
  /** Committed data survives the worker's end. */
  readonly isDurable: boolean
  readonly mayCancel: boolean
  /** An idle engine with more memory than this is restarted. */
  readonly recycleAboveBytes: number
  readonly observe: Observer
  listen(listener: WorkerListener): void
  /** Starts a worker and waits until its self-test has passed. @throws {SqlError} 57P02 with the reason */
  start(): Promise<void>
  post(request: WorkerRequest): void
  /** Takes a posted job back. False when the worker has begun it. */
  withdraw(id: number): boolean
  /** Hands COPY data to the turn that waits for it. */
  feed(messages: Uint8Array): void
  /** Whether the worker has begun the job. */
  hasBegun(id: number): boolean
  /** Whether the job still runs the statement with this number. */
  isAtStatement(id: number, sequence: number): boolean
  /**
   * Raises a cancel if the job's statements run at this moment. The engine may miss a cancel: repeat the call until the job
   * ends.
   */
  cancel(id: number): boolean
  /** Lets the worker flush everything and ends it, after `withinMillis` at the latest. */
  stop(id: number, withinMillis: number): Promise<void>
  /** Ends the worker at once; the listener is not called. */
  terminate(): Promise<void>
}
