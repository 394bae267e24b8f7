// A job of the engine's queue: what is submitted, what comes back, and what the queue notes about it meanwhile.

import type { SqlError, StatementResult } from '../../engine.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import type { DoneReply, Resumption, WorkerRequest } from '../worker-protocol.ts'
import type { CancelReason } from './queue-errors.ts'
import type { HoldExpiry } from './session-lease.ts'

type WithoutId<Request> = Request extends WorkerRequest ? Omit<Request, 'id'> : never

export interface Job {
  readonly request: WithoutId<WorkerRequest>
  /** Wall milliseconds from the moment the worker begins; `undefined` for platform work. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** As in `TenantWork`. */
  readonly mayKeepOthersWaiting?: boolean | undefined
  /** For a client's turn. */
  readonly turn?: TurnEvents | undefined
}

/** What a client's session is told while its turn runs, or while it holds the engine. */
export interface TurnEvents {
  /** A piece of the answer; the turn may stand still until `feed`. */
  onPartial(bytes: Uint8Array, wantsInput: boolean): void
  /** The queue cancels the statement that runs; Postgres will say 57014 without the reason. */
  onCancelled(reason: SqlError): void
  /** Wall milliseconds that the transaction which has just begun may take; 0 means no limit. */
  onTransactionBegun(timeoutMillis: number): void
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
  /** As in `DoneReply`. */
  readonly idleInTransactionMillis: number | undefined
  readonly durationMillis: number
}

export interface QueuedJob extends Job {
  /** 0 until it is posted to the worker. */
  id: number
  /** Wall instant of `submit`. */
  readonly arrivedAt: number
  cancelled: CancelReason | undefined
  /** Wall milliseconds at which a cancelled job costs the engine its life. */
  killAtMillis: number | undefined
  /** The worker stands still until its client sends data. */
  isStarved: boolean
  /** Its promise has an answer; a reply of the worker only takes it out of the queue. */
  isSettled: boolean
  /** It waited for an advisory lock and is sent again, also when it is cancelled: the worker gives its locks back. */
  again?: { readonly resumes: Resumption }
  readonly resolve: (outcome: JobOutcome) => void
  readonly reject: (error: SqlError) => void
  readonly forgetSignal: () => void
}

/** Gives the job its answer, once. */
export function settle(job: QueuedJob, answer: JobOutcome | SqlError): void {
  if (job.isSettled) return
  job.isSettled = true
  job.forgetSignal()
  if (answer instanceof Error) job.reject(answer)
  else job.resolve(answer)
}

/** Number of the Postgres port's client that the job belongs to. */
export function clientOf({ request }: Job): number | undefined {
  return request.kind === 'turn' || request.kind === 'disconnect' ? request.client : undefined
}

const UNREAD: BackendReply = { results: [], notices: [], error: undefined, ready: undefined }

function onlyError(bytes: Uint8Array): BackendReply {
  return { ...UNREAD, error: firstError(bytes) }
}

const READ_AS: Readonly<Record<WorkerRequest['kind'], (bytes: Uint8Array) => BackendReply>> = {
  run: parseBackendMessages,
  admin: parseBackendMessages,
  connect: parseBackendMessages,
  ask: onlyError,
  turn: () => UNREAD,
  disconnect: () => UNREAD,
  setTime: () => UNREAD,
  state: () => UNREAD,
  close: () => UNREAD,
}

export function outcomeOf({ request }: Job, answer: DoneReply): JobOutcome {
  const { bytes, committed, durationMillis, isHeld = false, idleInTransactionMillis } = answer
  const reply = READ_AS[request.kind](bytes)
  const changes =
    answer.changes === undefined ? undefined : parseBackendMessages(answer.changes).results[0]
  return { reply, bytes, committed, changes, isHeld, idleInTransactionMillis, durationMillis }
}
