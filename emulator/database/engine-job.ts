// One job of the engine's queue: what is asked of the worker, and what becomes of it.
import type { BackendReply } from './backend-messages.ts'
import type { StatementResult } from './engine.ts'
import type { HoldExpiry } from './engine-hold.ts'
import type { WorkerRequest } from './pglite-worker/worker-protocol.ts'

type WithoutId<Request> = Request extends WorkerRequest ? Omit<Request, 'id'> : never

export interface Job {
  readonly request: WithoutId<WorkerRequest>
  /** Wall milliseconds from the moment the worker begins; `undefined` for platform work. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** For a client's turn. */
  readonly turn?: TurnEvents | undefined
}

/** What a client's session is told while its turn runs, or while it holds the engine. */
export interface TurnEvents {
  /** A piece of the answer; the turn may stand still until `feed`. */
  onPartial(bytes: Uint8Array, wantsInput: boolean): void
  /** Others have waited too long. */
  onExpired(why: HoldExpiry): void
}

export interface JobOutcome {
  readonly reply: BackendReply
  readonly bytes: Uint8Array
  readonly committed: boolean
  readonly changes: StatementResult | undefined
  /** The client's transaction is still open: until it ends nobody else's jobs run. */
  readonly isHeld: boolean
  readonly durationMillis: number
}
