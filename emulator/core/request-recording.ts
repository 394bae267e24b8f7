// The port through which the edge lets somebody keep requests and answers whole: the inspector's recorder. The bytes on
// their way are overheard and never waited for.
import type { Readable, Writable } from 'node:stream'

/** Both directions of a request's connection, as the server has them. */
export interface Wire {
  readonly incoming: Readable & {
    readonly rawHeaders?: readonly string[]
    readonly socket?: { readonly remoteAddress?: string | undefined }
    /** Whether the whole message came. */
    readonly complete?: boolean
  }
  readonly outgoing: Writable
}

/** A request at the moment it comes in. */
export interface ArrivedRequest {
  readonly requestId: string
  readonly request: Request
  /** Path and query as received, secrets included. */
  readonly target: string
  /** Absent when the request came without a socket. */
  readonly wire: Wire | undefined
}

/** One request that is being kept. */
export interface OpenRecording {
  /** What to hand to the service: the same request, or one whose body is overheard. */
  readonly request: Request
  /** Takes the answer; gives what to send: the same one, or one whose body is overheard. */
  answered(response: Response): Response
}

export interface RequestRecorder {
  /** Begins to keep a request. Called before anything has read its body; must neither wait nor throw. */
  begin(arrived: ArrivedRequest): OpenRecording
}
