// Types shared by the edge and all services: the data passed with each request, and the form of a refusal.
import type { Readable } from 'node:stream'
import type { EmulatorError } from './errors.ts'
import type { RequestFacts } from './observation.ts'
import type { PlainRequest, Reply } from './plain-http.ts'
import type { Stopwatch } from './stopwatch.ts'

/**
 * The four public addresses, without trailing slashes. The edge builds the addresses from the one the caller used, or from
 * `--public-url` (docs/wire/platform.md#addresses).
 */
export interface Addresses {
  readonly authUrl: string
  readonly dataUrl: string
  readonly storageUrl: string
  readonly realtimeUrl: string
}

/** Data that a service gets with each request, as Hono's `env`. */
export interface RequestEnv {
  readonly requestId: string
  readonly addresses: Addresses
  /** The service adds facts; the edge reports them once. */
  readonly facts: RequestFacts
  /** Present when the caller asked for `Server-Timing`, and while an inspector is open. */
  readonly stopwatch?: Stopwatch
  /**
   * Whether the connection comes from another machine. This member is absent without a socket, and for services that accept
   * every caller.
   */
  readonly isRemote?: boolean
  /**
   * The body as a stream from the socket, for services that accept large bodies. The Request's own stream would cost about as
   * much time as writing to disk. A service reads either this or the Request's body. This stream is absent without a socket.
   */
  readonly socketBody?: Readable
}

/** An error in the format of its service, ready to be sent. */
export interface RenderedError {
  readonly status: number
  /** Reason phrase of the status line. The default is the usual phrase of the status. */
  readonly reason?: string
  readonly headers: Readonly<Record<string, string>>
  /** Body text; absent when the response has no body. */
  readonly body?: string
  readonly code: string
  readonly message: string
}

/** Renders errors of a service. Returns `undefined` for other errors, which the edge reports as internal. */
export type ErrorRenderer = (error: unknown) => RenderedError | undefined

/** One emulated service, as the server mounts it. */
export interface ServiceApp<Answered extends Reply = Reply> {
  /** Answers a request, or throws an error that `renderError` renders. A service that reads a `Request` takes `request.web`. */
  answer(request: PlainRequest, env: RequestEnv): Answered | Promise<Answered>
  readonly renderError: ErrorRenderer
  /** Renders the response 503 for a request that the database cannot serve. The edge adds `Retry-After`. */
  readonly renderUnavailable: (error: EmulatorError) => RenderedError
  /** Renders an internal error in this service's format. `trace` is the id under which the journal lists the error. */
  readonly renderInternal: (trace: string) => RenderedError
}
