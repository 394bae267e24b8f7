// Types of all observations. Code reports them to observers; the log, the journal and the inspector each select the ones they
// need.
import type { JsonObject } from './json.ts'
import type { EpochMillis } from './time.ts'

/** The part of the emulator that answered a request. */
export type ServiceName =
  | 'control'
  | 'auth'
  | 'data'
  | 'storage'
  | 'realtime'
  | 'postgres'
  | 'inspector'
  | 'edge'

/** A request was answered. Reported exactly once. */
export interface RequestFinished {
  readonly kind: 'requestFinished'
  /** Opaque id; also the `trace` of an internal error. */
  readonly requestId: string
  readonly service: ServiceName
  readonly method: string
  /** Path and query as received, with secrets in the query masked. */
  readonly target: string
  readonly status: number
  /** Platform time at which the request arrived. */
  readonly receivedAt: EpochMillis
  /** Duration in wall-clock milliseconds. */
  readonly durationMillis: number
  readonly facts: RequestFacts
  /** Code of the refusal; absent for successful requests. */
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** Facts that the service adds while it handles the request. Each fact is absent until the service knows it. */
export interface RequestFacts {
  schemaName?: string
  /**
   * Whether `schemaName` comes from a refused credential and is not verified. Use such a name to assign the request to a project
   * in the journal, never to authorise the request.
   */
  isSchemaClaimed?: boolean
  groupId?: string
  role?: string
  subject?: string
  credentialKind?: string
  /** SQL text of the main statement, without parameters. */
  statement?: string
  /** Values of the statement's parameters. Absent for a request with a body. */
  parameters?: readonly (string | null)[]
  rowCount?: number
  /** Id of the injected fault that applied to the request. */
  fault?: string
  /** Whether a page of the inspector sent the request. */
  isFromInspector?: boolean
}

/** An internal error. The log contains the error's stack; the client never gets it. */
export interface InternalFailure {
  readonly kind: 'internalFailure'
  readonly requestId: string
  readonly error: unknown
}

/** Background work failed and will be retried. Only the first of several failures in a row is reported. */
export interface BackgroundFailed {
  readonly kind: 'backgroundFailed'
  /** A verb and its object, e.g. "write the journal". */
  readonly work: string
  readonly error: unknown
}

/** Background work succeeded after a failure. */
export interface BackgroundResumed {
  readonly kind: 'backgroundResumed'
  readonly work: string
  /** Number of failed attempts before the success. */
  readonly failures: number
}

/** The database worker or the native server was restarted because it died or, in case of the worker, grew too large. */
export interface EngineRestarted {
  readonly kind: 'engineRestarted'
  readonly reason: string
  readonly durationMillis: number
}

/** The database worker or the native server failed to start. Requests that need the database fail immediately until it starts. */
export interface EngineDown {
  readonly kind: 'engineDown'
  readonly reason: string
  /** Wall-clock milliseconds until the next attempt. */
  readonly retryMillis: number
}

/** The engine lacks a capability that Tenantry uses, so something is slower or more limited. */
export interface EngineDegraded {
  readonly kind: 'engineDegraded'
  readonly capability: string
  readonly consequence: string
}

export interface ProjectChanged {
  readonly kind: 'projectChanged'
  readonly change: 'activated' | 'removed' | 'purged' | 'schemaChanged'
  readonly projectId: string
  readonly schemaName: string
}

/** A message arrived in the mailbox. This observation is the only one that contains the complete code and link. */
export interface MessageSent {
  readonly kind: 'messageSent'
  readonly messageId: number
  readonly schemaName: string
  readonly channel: string
  readonly recipient: string
  readonly purpose: string
  readonly code?: string
  readonly link?: string
}

/** A realtime socket was closed. */
export interface RealtimeSocketClosed {
  readonly kind: 'realtimeSocketClosed'
  readonly schemaName: string
  readonly reason: string
}

/** The server refused a join or closed a channel. */
export interface RealtimeChannelRefused {
  readonly kind: 'realtimeChannelRefused'
  readonly schemaName: string
  readonly topic: string
  /** The reason sent to the client. */
  readonly reason: string
}

/** A realtime frame was malformed, so realtime ignored it without a reply. */
export interface RealtimeFrameDropped {
  readonly kind: 'realtimeFrameDropped'
  readonly schemaName: string
  readonly reason: string
}

/** Realtime decided for each subscriber whether to deliver a row change. */
export interface ChangeJudged {
  readonly kind: 'changeJudged'
  readonly schemaName: string
  readonly table: string
  readonly change: 'INSERT' | 'UPDATE' | 'DELETE'
  /** Increases with each change, in commit order. */
  readonly number: number
  /** Platform time. */
  readonly committedAt: EpochMillis
  /** The request whose transaction made the change. This member is absent for changes through other connections. */
  readonly requestId?: string
  /** Size of the old and the new row as text, in bytes. */
  readonly sizeBytes: number
  /**
   * Returns the new row, or the key of a deleted row. Returns `undefined` when the row is too large to show. Each call computes
   * the row again.
   */
  row(): JsonObject | undefined
  /** Returns the row before an update or a deletion, with all columns. Has the limits of `row`. */
  oldRow(): JsonObject | undefined
  /**
   * Returns one verdict for each subscribed channel. Each call computes the verdicts, so that unused verdicts cost nothing.
   */
  verdicts(): readonly SubscriberVerdict[]
}

/** Realtime's decision on a row change for one channel. */
export interface SubscriberVerdict {
  readonly topic: string
  readonly role: string
  readonly subject: string
  readonly verdict:
    | 'delivered'
    /** The event type or the filter does not match. */
    | 'filtered'
    /** No policy lets the subscriber read the row, or the row no longer exists. */
    | 'hidden'
    /** The table has no row-level security. */
    | 'rlsOff'
    /** A policy reads another table or raised an error, so realtime treats it as false. */
    | 'notEvaluable'
    /** The role may not read the table's key, or the table has no key. In that case the client gets an error. */
    | 'refused'
    | 'tokenExpired'
    | 'rateLimited'
  /** Names of the policies that hid the row or could not be evaluated. */
  readonly policies: readonly string[]
  readonly reason?: string
  /** Wall-clock milliseconds from the commit until the change was sent; only for delivered changes. */
  readonly latencyMillis?: number
}

/** The platform's state was saved, restored or reset. */
export interface StateChanged {
  readonly kind: 'stateChanged'
  readonly change: 'saved' | 'restored' | 'deleted' | 'reset'
  /** Name of the snapshot; absent for a reset. */
  readonly name?: string
  /** Set after a restore: whether the database engine had to restart. */
  readonly engine?: 'running' | 'restarted'
  readonly durationMillis: number
}

export type Observation =
  | StateChanged
  | RequestFinished
  | InternalFailure
  | BackgroundFailed
  | BackgroundResumed
  | EngineRestarted
  | EngineDown
  | EngineDegraded
  | ProjectChanged
  | MessageSent
  | RealtimeSocketClosed
  | RealtimeChannelRefused
  | RealtimeFrameDropped
  | ChangeJudged

/** Receives observations. An observer must return quickly and never throw. */
export type Observer = (observation: Observation) => void

/** Returns an observer that passes each observation to all of `observers`. */
export function fanOut(observers: readonly Observer[]): Observer {
  return (observation) => {
    for (const observe of observers) observe(observation)
  }
}
