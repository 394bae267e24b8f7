// A job of the engine's queue: its input, its outcome, and the queue's own state.

import type { StopSignal } from '../../../core/stop-signal.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { SqlError, StatementResult } from '../../engine.ts'
import type { CancelReason } from '../../queue-errors.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import type { DoneReply, RehearsalPart, Resumption, WorkerRequest } from '../worker-protocol.ts'
import type { LeaseExpiry } from './session-lease.ts'

type WithoutId<Request> = Request extends WorkerRequest ? Omit<Request, 'id'> : never

export interface Job {
  readonly request: WithoutId<WorkerRequest>
  /** The job's limit in wall-clock milliseconds after it begins; `undefined` for platform work. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: StopSignal | undefined
  /** See `TenantWork.mayKeepOthersWaiting`. */
  readonly mayKeepOthersWaiting?: boolean | undefined
  /** Present only for a client's turn. */
  readonly turn?: TurnEvents | undefined
}

/** Events for a client's session while its turn runs or its transaction is open. */
export interface TurnEvents {
  /** Called with a piece of the answer. When `wantsInput` is true, the turn waits for `feed`. */
  onPartial(bytes: Uint8Array, wantsInput: boolean): void
  /** Called when the queue cancels the statement. Postgres reports 57014, but does not know the queue's reason. */
  onCancelled(reason: SqlError): void
  /** Called when a transaction has begun that may take this many wall-clock milliseconds; 0 means no limit. */
  onTransactionBegun(timeoutMillis: number): void
  /** Called when other jobs have waited too long for the open transaction. @param since when the session got the backend */
  onExpired(why: LeaseExpiry, since: EpochMillis): void
  /** Called every second while the turn waits for an idle client's transaction. @param since when that client got the backend */
  onWaits(since: EpochMillis): void
}

export interface JobOutcome {
  readonly reply: BackendReply
  readonly bytes: Uint8Array
  readonly committed: boolean
  readonly changes: StatementResult | undefined
  /** True while the client's transaction is open; no other job runs until it ends. */
  readonly keepsBackend: boolean
  /** See `DoneReply.idleInTransactionMillis`. */
  readonly idleInTransactionMillis: number | undefined
  readonly durationMillis: number
  /** See `DoneReply.parts`. */
  readonly parts: readonly RehearsalPart[] | undefined
}

export interface QueuedJob extends Job {
  /** The job's id in the worker; 0 until the job is posted. */
  id: number
  /** The wall time of `submit`. */
  readonly arrivedAt: number
  cancelled: CancelReason | undefined
  /** The wall time at which the engine is killed if the cancelled job still runs. */
  killAtMillis: number | undefined
  /** True while the worker waits until the client sends COPY data. */
  isStarved: boolean
  /** True when the job's promise is settled. A later reply of the worker only removes the job from the queue. */
  isSettled: boolean
  /**
   * True when the job waited for an advisory lock. The job is sent again even after a cancel, so that the worker releases its
   * locks.
   */
  again?: { readonly resumes: Resumption }
  readonly resolve: (outcome: JobOutcome) => void
  readonly reject: (error: SqlError) => void
  readonly forgetSignal: () => void
}

/** Whether the job's wait for a lock ended with an error. The worker reports such an error like a cancel. */
export function hasFailedToWait({ again }: QueuedJob): boolean {
  return again?.resumes.end !== undefined
}

/** Settles the job's promise; later calls do nothing. */
export function settle(job: QueuedJob, answer: JobOutcome | SqlError): void {
  if (job.isSettled) return
  job.isSettled = true
  job.forgetSignal()
  if (answer instanceof Error) job.reject(answer)
  else job.resolve(answer)
}

/** The number of the Postgres port's client that the job belongs to. */
export function clientOf({ request }: Job): number | undefined {
  return request.kind === 'turn' || request.kind === 'disconnect' ? request.client : undefined
}

/**
 * Returns the project or client of a job. Jobs of one project or client keep their order, and projects and clients take turns.
 * Returns `undefined` for work on the whole platform.
 */
export function laneOf({ request }: Job): string | undefined {
  switch (request.kind) {
    case 'run':
      return request.work.actor.schemaName
    case 'ask':
      return request.asked.actor.schemaName
    case 'rehearse':
      return request.rehearsal.actor.schemaName
    case 'connect':
      return request.schemaName
    case 'turn':
    case 'disconnect':
      return `client ${request.client}`
    case 'vacuum':
      return 'vacuum of catalogues'
    case 'admin':
    case 'close':
    case 'setTime':
    case 'state':
      return undefined
    default:
      return request satisfies never
  }
}

// Placeholder for a reply that the code which submitted the job decodes itself.
const UNREAD: BackendReply = { results: [], notices: [], error: undefined, ready: undefined }

function onlyError(bytes: Uint8Array): BackendReply {
  return { ...UNREAD, error: firstError(bytes) }
}

const READ_AS: Readonly<Record<WorkerRequest['kind'], (bytes: Uint8Array) => BackendReply>> = {
  run: parseBackendMessages,
  admin: parseBackendMessages,
  connect: parseBackendMessages,
  ask: onlyError,
  rehearse: onlyError,
  vacuum: () => UNREAD,
  turn: () => UNREAD,
  disconnect: () => UNREAD,
  setTime: () => UNREAD,
  state: () => UNREAD,
  close: () => UNREAD,
}

export function outcomeOf({ request }: Job, answer: DoneReply): JobOutcome {
  const { bytes, committed, durationMillis, parts } = answer
  const { keepsBackend = false, idleInTransactionMillis } = answer
  const reply = READ_AS[request.kind](bytes)
  const changes =
    answer.changes === undefined ? undefined : parseBackendMessages(answer.changes).results[0]
  return {
    reply,
    bytes,
    committed,
    changes,
    keepsBackend,
    idleInTransactionMillis,
    durationMillis,
    parts,
  }
}
