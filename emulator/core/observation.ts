// Everything that can happen and is worth telling. Core code reports observations; logger, journal and inspector choose.
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
  /** Platform time at which the request came in. */
  readonly receivedAt: EpochMillis
  /** Wall time it took, in milliseconds. */
  readonly durationMillis: number
  readonly facts: RequestFacts
  /** Set when the answer was a refusal. */
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** What the service learned on the way; each field is absent until known. */
export interface RequestFacts {
  schemaName?: string
  /** `schemaName` is what a refused credential claims, unverified: good for filing the request and for nothing else. */
  isSchemaClaimed?: boolean
  groupId?: string
  role?: string
  subject?: string
  credentialKind?: string
  /** SQL text of the main statement, without parameters. */
  statement?: string
  rowCount?: number
  /** Id of the fault on order that it met. */
  fault?: string
}

/** A failure nobody foresaw; the stack goes to the log and never to the wire. */
export interface InternalFailure {
  readonly kind: 'internalFailure'
  readonly requestId: string
  readonly error: unknown
}

/** Work that no request waits for failed; it is tried again, and further failures in a row are not reported. */
export interface BackgroundFailed {
  readonly kind: 'backgroundFailed'
  /** A verb and its object, e.g. "write the journal". */
  readonly work: string
  readonly error: unknown
}

/** Work that had failed succeeded again. */
export interface BackgroundResumed {
  readonly kind: 'backgroundResumed'
  readonly work: string
  /** Attempts that failed in between. */
  readonly failures: number
}

/** The database worker died or grew too large and was started again. */
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

/** An internal of the embedded engine was missing, and a slower safe path is used instead. */
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

/** A message to a person landed in the mailbox. Code and link are told in full, because nobody else gets them. */
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

/** A channel was not joined, or was ended against its client's will. */
export interface RealtimeChannelRefused {
  readonly kind: 'realtimeChannelRefused'
  readonly schemaName: string
  readonly topic: string
  /** What the client was told. */
  readonly reason: string
}

/** A frame got no answer because nobody could understand it. */
export interface RealtimeFrameDropped {
  readonly kind: 'realtimeFrameDropped'
  readonly schemaName: string
  readonly reason: string
}

/** A row change met its subscribers. */
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
  /** Bytes of both its rows as text: what remembering it costs. */
  readonly sizeBytes: number
  /** The row as it became, of a deleted one the key; `undefined` when it is too large to show. Made anew at each call. */
  row(): JsonObject | undefined
  /** One per subscribed channel; made anew at each call, so that it costs nothing when nobody asks. */
  verdicts(): readonly SubscriberVerdict[]
}

/** What became of a row change for one channel. */
export interface SubscriberVerdict {
  readonly topic: string
  readonly role: string
  readonly subject: string
  readonly verdict:
    | 'delivered'
    /** Event or filter ask for something else. */
    | 'filtered'
    /** No policy shows the row, or it is not there any more. */
    | 'hidden'
    /** The table has no row-level security. */
    | 'rlsOff'
    /** A policy reads another table, or raised: it counts as false in realtime. */
    | 'notEvaluable'
    /** The role may not read the table's key, or there is none; the client is told so. */
    | 'refused'
    | 'tokenExpired'
    | 'rateLimited'
  /** Policies that decided against it, or could not be evaluated. */
  readonly policies: readonly string[]
  readonly reason?: string
  /** Wall milliseconds from the commit to the socket; delivered ones only. */
  readonly latencyMillis?: number
}

/** The whole platform was saved, or put into another state. */
export interface StateChanged {
  readonly kind: 'stateChanged'
  readonly change: 'saved' | 'restored' | 'deleted' | 'reset'
  /** The snapshot; absent for a reset. */
  readonly name?: string
  /** What became of the database engine, where it had to change. */
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
