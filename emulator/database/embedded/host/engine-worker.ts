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
  /** A piece of the answer of the job that runs. */
  onPartial(reply: PartialReply): void
  /** A statement of the job that runs has begun. */
  onStatement(reply: StatementReply): void
  /** The advisory locks that these parked jobs waited for are granted. */
  onGranted(tickets: readonly number[]): void
  /** The worker is gone; `start` brings another. */
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
  /** Starts a worker and waits until its proofs have passed. @throws {SqlError} 57P02 with the reason */
  start(): Promise<void>
  post(request: WorkerRequest): void
  /** Takes a posted job back. False when the worker has begun it. */
  withdraw(id: number): boolean
  /** Hands COPY data to the turn that waits for it. */
  feed(messages: Uint8Array): void
  /** Whether the worker has begun the job. */
  hasBegun(id: number): boolean
  /** Whether the job is still at the statement with this number. */
  isAtStatement(id: number, sequence: number): boolean
  /** Cancels the job when its statements run at this moment. The engine may miss it: repeat until the job ends. */
  cancel(id: number): boolean
  /** Lets the worker flush everything and ends it, after `withinMillis` at the latest. */
  stop(id: number, withinMillis: number): Promise<void>
  /** Ends the worker at once; the listener is not called. */
  terminate(): Promise<void>
}
