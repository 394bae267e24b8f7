// The port through which the edge lets the inspector record whole requests and responses. Recording copies the bytes in passing
// and never delays them.
import type { Readable, Writable } from 'node:stream'

/** The server's streams of a request. */
export interface Wire {
  readonly incoming: Readable & {
    readonly rawHeaders?: readonly string[]
    readonly socket?: { readonly remoteAddress?: string | undefined }
    /** Whether the whole message arrived. */
    readonly complete?: boolean
  }
  readonly outgoing: Writable
}

/** A request at its arrival. */
export interface ArrivedRequest {
  readonly requestId: string
  readonly request: Request
  /** Path and query as received, secrets included. */
  readonly target: string
  /** Absent when the request came without a socket. */
  readonly wire: Wire | undefined
}

/** A request that is being recorded. */
export interface OpenRecording {
  /** The request for the service; its body may be recorded. */
  readonly request: Request
  /** Takes the response and returns the one to send; its body may be recorded. */
  answered(response: Response): Response
}

export interface RequestRecorder {
  /** Begins to record a request. Called before its body is read; must not wait or throw. */
  begin(arrived: ArrivedRequest): OpenRecording
}
