// The database worker as the queue sees it: something that can be started, asked, cancelled and stopped. worker-host.ts is
// the real one.
import type { Observer } from '../../../core/observation.ts'
import type {
  DoneReply,
  PartialReply,
  RefusedReply,
  StatementReply,
  WorkerRequest,
} from '../worker-protocol.ts'

/** Told about what comes from the worker once it is ready. */
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
  /** What was committed survives the worker's end. */
  readonly isDurable: boolean
  readonly mayCancel: boolean
  /** Size of the engine's memory above which an idle engine is worth a restart. */
  readonly recycleAboveBytes: number
  readonly observe: Observer
  listen(listener: WorkerListener): void
  /** Starts a worker and waits until it has proved itself. @throws {SqlError} 57P02 with the reason */
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
  /** Cancels the job when its statements run at this moment. The engine may not notice: ask again. */
  cancel(id: number): boolean
  /** Lets the worker write everything out and ends it, after `withinMillis` at the latest. */
  stop(id: number, withinMillis: number): Promise<void>
  /** Ends the worker at once, whatever it does; nothing is reported. */
  terminate(): Promise<void>
}
