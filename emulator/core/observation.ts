// The union of all observations. Code reports them; log, journal and inspector select the ones they need.
import type { JsonObject } from './json.ts'
import type { EpochMillis } from './time.ts'

export type ServiceName =
  | 'control'
  | 'auth'
  | 'data'
  | 'storage'
  | 'realtime'
  | 'postgres'
  | 'inspector'
  | 'edge'

/** A request that was answered, reported exactly once. */
export interface RequestFinished {
  readonly kind: 'requestFinished'
  /** Opaque id; also the `trace` of an internal error. */
  readonly requestId: string
  readonly service: ServiceName
  readonly method: string
  /** Path and query as received, secrets in the query masked. */
  readonly target: string
  readonly status: number
  /** Platform time of the request's arrival. */
  readonly receivedAt: EpochMillis
  /** Duration in wall milliseconds. */
  readonly durationMillis: number
  readonly facts: RequestFacts
  /** Set when the request was refused. */
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** Facts that the service adds; each is absent until known. */
export interface RequestFacts {
  schemaName?: string
  /** `schemaName` is an unverified claim of a refused credential. Use it only to file the request. */
  isSchemaClaimed?: boolean
  groupId?: string
  role?: string
  subject?: string
  credentialKind?: string
  /** SQL text of the main statement, without parameters. */
  statement?: string
  rowCount?: number
  /** Id of the injected fault that it met. */
  fault?: string
}

/** An internal error. The stack goes to the log, never to the wire. */
export interface InternalFailure {
  readonly kind: 'internalFailure'
  readonly requestId: string
  readonly error: unknown
}

/** Background work failed. It is repeated; further failures in a row are not reported. */
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
  /** Number of failed attempts. */
  readonly failures: number
}

/** The database worker was restarted because it died or grew too large. */
export interface EngineRestarted {
  readonly kind: 'engineRestarted'
  readonly reason: string
  readonly durationMillis: number
}

/** The database worker does not start. Its work fails at once until an attempt succeeds. */
export interface EngineDown {
  readonly kind: 'engineDown'
  readonly reason: string
  /** Wall milliseconds until the next attempt. */
  readonly retryMillis: number
}

/** The embedded engine lacks an internal that Tenantry uses; a slower or smaller function replaces it. */
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

/** A message arrived in the mailbox. Code and link are complete: this is the only place where they appear. */
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

/** A realtime socket ended. */
export interface RealtimeSocketClosed {
  readonly kind: 'realtimeSocketClosed'
  readonly schemaName: string
  readonly reason: string
}

/** A join was refused, or a channel was closed by the server. */
export interface RealtimeChannelRefused {
  readonly kind: 'realtimeChannelRefused'
  readonly schemaName: string
  readonly topic: string
  /** The reason that the client got. */
  readonly reason: string
}

/** A frame was malformed and got no reply. */
export interface RealtimeFrameDropped {
  readonly kind: 'realtimeFrameDropped'
  readonly schemaName: string
  readonly reason: string
}

/** A row change was judged for its subscribers. */
export interface ChangeJudged {
  readonly kind: 'changeJudged'
  readonly schemaName: string
  readonly table: string
  readonly change: 'INSERT' | 'UPDATE' | 'DELETE'
  /** Rises with each change, in commit order. */
  readonly number: number
  /** Platform time. */
  readonly committedAt: EpochMillis
  /** The request whose transaction made it, when it was one of ours. */
  readonly requestId?: string
  /** Size of both rows as text in bytes. */
  readonly sizeBytes: number
  /** The new row, or a deleted row's key; `undefined` when it is too large to show. Computed at each call. */
  row(): JsonObject | undefined
  /** One verdict for each subscribed channel. Computed at each call, so that it costs nothing unless it is used. */
  verdicts(): readonly SubscriberVerdict[]
}

/** The verdict on a row change for one channel. */
export interface SubscriberVerdict {
  readonly topic: string
  readonly role: string
  readonly subject: string
  readonly verdict:
    | 'delivered'
    /** The event or the filter does not match. */
    | 'filtered'
    /** No policy shows the row, or the row no longer exists. */
    | 'hidden'
    /** The table has no row-level security. */
    | 'rlsOff'
    /** A policy reads another table or raised an error: realtime treats it as false. */
    | 'notEvaluable'
    /** The role may not read the table's key, or the table has none; the client gets an error. */
    | 'refused'
    | 'tokenExpired'
    | 'rateLimited'
  /** Policies that hid the row or could not be evaluated. */
  readonly policies: readonly string[]
  readonly reason?: string
  /** Wall milliseconds from the commit to the socket; only for delivered changes. */
  readonly latencyMillis?: number
}

/** The platform's state was saved or restored. */
export interface StateChanged {
  readonly kind: 'stateChanged'
  readonly change: 'saved' | 'restored' | 'deleted' | 'reset'
  /** The snapshot; absent for a reset. */
  readonly name?: string
  /** Whether the database engine had to restart, after a restore. */
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

/** Receives observations; must return at once and never throw. */
export type Observer = (observation: Observation) => void

/** Passes each observation to all of `observers`. */
export function fanOut(observers: readonly Observer[]): Observer {
  return (observation) => {
    for (const observe of observers) observe(observation)
  }
}
