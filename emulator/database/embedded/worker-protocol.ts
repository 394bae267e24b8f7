// The protocol between the main thread and the database worker: message types, and the layout of shared memory.
import type { MessagePort } from 'node:worker_threads'
import type { PlatformTime } from '../../core/platform-clock.ts'
import type { ClientLogin, TenantQuestions, TenantWork } from '../engine.ts'
import type { Rehearsal, RehearsalQuestions } from '../rehearsal.ts'
import type { Sql, SqlParam } from '../sql.ts'
import type { LockFailure } from './advisory-locks/lock-session.ts'

/** The data that the thread gets when it starts. */
export interface ThreadData {
  /** Node's compile cache, if the process uses one. */
  readonly compileCacheDir: string | undefined
  /** The engine's compiled wasm; the thread compiles it when absent. */
  readonly engineModule: WebAssembly.Module | undefined
}

/** The first message to the worker. */
export interface WorkerOptions {
  /** The cluster's directory; `undefined` keeps the database in memory. */
  readonly dataDir: string | undefined
  /** True when the directory is removed at the end of the process: nothing is flushed to the disk. */
  readonly isTemporary: boolean
  /** The path of the cluster image, for a new database and for the extensions' libraries. */
  readonly imagePath: string
  /** The path of the prepared image, which changes a new database (prepared-image.ts). */
  readonly preparedPath: string | undefined
  readonly time: PlatformTime
  /** The folder for the originals of changed files. Without this folder, the baseline cannot be restored. */
  readonly baseline: BaselineFolder | undefined
  /** The seed that makes randomness inside the database repeatable. */
  readonly seed: string | undefined
  /** The secret prefix of prepared statements' names, which tenants must not guess. */
  readonly secret: string
  /** The limit of the engine's memory. Beyond this limit a statement fails with SQLSTATE 53200. */
  readonly memoryBytes: number
  /** Shared memory of 32-bit words that both threads read and write. The constants from `CURRENT_JOB` on are its indexes. */
  readonly control: SharedArrayBuffer
  /** The worker's end of the channel for replies. */
  readonly replies: MessagePort
}

export interface BaselineFolder {
  readonly folder: string
  /**
   * True when an earlier engine of this process set the baseline. When false, the state at the start becomes
   * the baseline.
   */
  readonly isResumed: boolean
}

/** Index in `WorkerOptions.control` of the word that holds the id of the running job, or of the job that ran last. */
export const CURRENT_JOB = 0
/** Index of the word that holds the id of the job whose own statements run now. This word is 0 when no such statement runs. */
export const CANCELLABLE_JOB = 1

/** Index of a counter that rises with every message to the worker, so that a waiting worker wakes up. */
export const MESSAGES = 2

/** Index of a counter that rises with every statement that begins or ends under a timeout of its session. */
export const STATEMENT_SEQUENCE = 3

/** Index of a counter that rises with every reply of the worker, so that the main thread can watch for the next one. */
export const REPLIES = 4

/** Index of the first word with posted job ids. `postedWord` returns the index of a job's word. A withdrawn job's word is 0. */
export const POSTED_JOBS = 5
/** The number of words for posted job ids. This number must not be less than the number of jobs posted at once. */
export const POSTED_WORDS = 8

export const CONTROL_BYTES: number = 4 * (POSTED_JOBS + POSTED_WORDS)

/** Index of the word that holds the job's id from its posting until it begins. */
export function postedWord(id: number): number {
  return POSTED_JOBS + (id % POSTED_WORDS)
}

export interface StatementText {
  readonly text: string
  readonly params: readonly SqlParam[]
}

/** Converts a statement to plain values. Structured cloning would lose the statement's text, because the text is a getter. */
export function plainStatement({ text, params }: Sql): StatementText {
  return { text, params }
}

/** The main thread's queue applies these members. The worker does not get them. */
type QueueMember = 'timeoutMillis' | 'mayKeepOthersWaiting' | 'signal' | 'requestId'

/** `TenantWork` for the worker, as plain values. */
export interface SentWork extends Omit<TenantWork, QueueMember | 'statements'> {
  /** Prepared statements, or a script. */
  readonly statements: readonly StatementText[] | { readonly text: string }
}

interface RunRequest {
  readonly kind: 'run'
  readonly id: number
  readonly work: SentWork
  readonly resumes?: Resumption
}

/** Marks work that runs again after it waited for an advisory lock. */
export interface Resumption {
  readonly ticket: number
  /** The error that ended the wait; absent when the lock was granted. */
  readonly end?: LockFailure
}

/** The advisory lock that a piece of work waits for. */
export interface LockWait {
  readonly ticket: number
  /** The session's timeouts when the wait began, in wall-clock milliseconds; 0 means no limit. */
  readonly lockTimeoutMillis: number
  readonly statementTimeoutMillis: number
}

/** `TenantQuestions` for the worker, as plain values. */
export interface SentQuestions extends Omit<TenantQuestions, QueueMember | 'statement'> {
  readonly statement: StatementText
}

interface AskRequest {
  readonly kind: 'ask'
  readonly id: number
  readonly asked: SentQuestions
}

/** `Rehearsal` for the worker, as plain values. */
export interface SentRehearsal extends Omit<Rehearsal, QueueMember | 'before' | 'after'> {
  readonly before: readonly SentGroup[]
  readonly after: readonly SentGroup[]
}

/** `RehearsalQuestions` for the worker, as plain values. */
export interface SentGroup extends Omit<RehearsalQuestions, 'statement'> {
  readonly statement: StatementText
}

interface RehearseRequest {
  readonly kind: 'rehearse'
  readonly id: number
  readonly rehearsal: SentRehearsal
  readonly resumes?: Resumption
}

/** The place of one reply in the bytes of a rehearsal. */
export interface RehearsalPart {
  readonly kind: 'before' | 'script' | 'after'
  readonly bytes: number
  readonly millis: number
}

/** Vacuums the next catalogue (catalogue-vacuum.ts). */
interface VacuumRequest {
  readonly kind: 'vacuum'
  readonly id: number
}

interface AdminRequest {
  readonly kind: 'admin'
  readonly id: number
  readonly text: string
}

/** Logs in a client of the Postgres port. */
export interface ConnectRequest extends Pick<ClientLogin, 'schemaName' | 'role' | 'settings'> {
  readonly kind: 'connect'
  readonly id: number
  /** Number that identifies the client in later requests. */
  readonly client: number
}

/** Complete frontend messages of a client. */
export interface TurnRequest {
  readonly kind: 'turn'
  readonly id: number
  readonly client: number
  readonly messages: Uint8Array
  readonly resumes?: Resumption
}

interface DisconnectRequest {
  readonly kind: 'disconnect'
  readonly id: number
  readonly client: number
}

/** Complete frontend messages with COPY data for the running turn. Not a job. */
export interface CopyInput {
  readonly kind: 'copyInput'
  readonly messages: Uint8Array
}

interface TimeRequest {
  readonly kind: 'setTime'
  readonly id: number
  readonly time: PlatformTime
}

/** Saves or restores the state of the whole cluster (cluster-states.ts). */
export interface StateRequest {
  readonly kind: 'state'
  readonly id: number
  /**
   * `setBaseline` makes the present state the baseline. `restoreBaseline` restores it. `save` copies the state into `folder`.
   * `load` restores the state in `folder`.
   */
  readonly action: 'setBaseline' | 'restoreBaseline' | 'save' | 'load'
  readonly folder: string
}

export interface CloseRequest {
  readonly kind: 'close'
  readonly id: number
}

export type WorkerRequest =
  | RunRequest
  | AskRequest
  | RehearseRequest
  | VacuumRequest
  | AdminRequest
  | TimeRequest
  | ConnectRequest
  | TurnRequest
  | DisconnectRequest
  | StateRequest
  | CloseRequest

/** The memory in which the main thread sets the cancel flags. */
export interface CancelAddresses {
  readonly memory: SharedArrayBuffer
  /** The flags' byte addresses inside `memory`. */
  readonly queryCancelPending: number
  readonly interruptPending: number
}

export interface Degradation {
  readonly capability: string
  readonly consequence: string
}

export interface ReadyReply {
  readonly kind: 'ready'
  readonly cancel: CancelAddresses | undefined
  readonly degraded: readonly Degradation[]
  readonly heapBytes: number
  /** The engine's module, which later threads of this process use. */
  readonly engineModule: WebAssembly.Module
  /** Whether the thread compiled the module, because no kept code was usable. */
  readonly isCompiledHere: boolean
}

export interface DoneReply {
  readonly kind: 'done'
  readonly id: number
  /** Backend messages of the statements and of the error, if there was one. */
  readonly bytes: Uint8Array
  readonly committed: boolean
  /** The replies in `bytes`, in order. Only rehearsals have them. */
  readonly parts?: readonly RehearsalPart[] | undefined
  /** Backend messages with the row changes that this work committed. */
  readonly changes?: Uint8Array | undefined
  /** True while the client's transaction or pipeline is open, so that no other job may run. */
  readonly keepsBackend?: boolean
  /** Present when an advisory lock is not free: the work was rolled back and must be sent again. */
  readonly waits?: LockWait
  /** The session's `idle_in_transaction_session_timeout` after a client's turn, in milliseconds; 0 means no limit. */
  readonly idleInTransactionMillis?: number | undefined
  /** The wall-clock milliseconds that the work took inside the engine. */
  readonly durationMillis: number
  readonly heapBytes: number
}

/** Lists jobs that waited for an advisory lock and can be sent again. */
export interface GrantedReply {
  readonly kind: 'granted'
  readonly tickets: readonly number[]
}

/** Reports that a statement of the running job begins under a timeout, or that such a statement has ended. */
export interface StatementReply {
  readonly kind: 'statement'
  readonly id: number
  /** Value of `STATEMENT_SEQUENCE` while this statement runs. */
  readonly sequence: number
  /** The statement's `statement_timeout` in milliseconds; 0 means no limit. */
  readonly timeoutMillis: number
  /** The `transaction_timeout` of the transaction that begins with this statement; absent inside an earlier transaction. */
  readonly transactionMillis?: number | undefined
}

/** Carries a part of the answer of a running turn. */
export interface PartialReply {
  readonly kind: 'partial'
  readonly id: number
  readonly bytes: Uint8Array
  /** True when the worker waits for `CopyInput`. */
  readonly wantsInput: boolean
}

/** The worker refused the job before any of its SQL ran. */
export interface RefusedReply {
  readonly kind: 'refused'
  readonly id: number
  readonly sqlState: string
  readonly message: string
}

/** Reports that the engine is unusable; the worker stops. */
interface DiedReply {
  readonly kind: 'died'
  readonly reason: string
  /** True when the worker never became ready. */
  readonly atStart: boolean
}

export type WorkerReply =
  | ReadyReply
  | DoneReply
  | PartialReply
  | GrantedReply
  | StatementReply
  | RefusedReply
  | DiedReply

/**
 * Copies the bytes into their own buffer, which can be transferred to the other thread. Node cuts small buffers out of one
 * large pool; sending such a buffer would copy the whole pool.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}
