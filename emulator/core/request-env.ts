// What the edge hands to every service beside the request itself, and what a service hands back when it refuses.
import type { Readable } from 'node:stream'
import type { EmulatorError } from './errors.ts'
import type { RequestFacts } from './observation.ts'

/**
 * The four public addresses, built from the address the caller used or from `--public-url` (docs/wire/platform.md#addresses).
 * No trailing slash.
 */
export interface Addresses {
  readonly authUrl: string
  readonly dataUrl: string
  readonly storageUrl: string
  readonly realtimeUrl: string
}

/** Given to a service's app as Hono's `env` for each request. */
export interface RequestEnv {
  readonly requestId: string
  readonly addresses: Addresses
  /** The service fills in what it learns; the edge reports it once. */
  readonly facts: RequestFacts
  /** The connection comes from another machine. Absent without a socket, and for services that admit anyone. */
  readonly isRemote?: boolean
  /**
   * The body as the socket gives it, for services that take large ones: each piece through the Request's own stream costs
   * about as much as writing it to disk. Absent without a socket. Whoever reads it leaves the Request's body alone.
   */
  readonly socketBody?: Readable
}

/** A refusal in the dialect of the service that refused, ready for the wire. */
export interface RenderedError {
  readonly status: number
  /** Reason phrase of the status line; the status's usual one when absent. */
  readonly reason?: string
  readonly headers: Readonly<Record<string, string>>
  /** Body text; absent for answers without one. */
  readonly body?: string
  readonly code: string
  readonly message: string
}

/** Turns an error into the service's dialect; `undefined` when the error is none of its own and the edge must call it internal. */
export type ErrorRenderer = (error: unknown) => RenderedError | undefined

/** One emulated service, as the server mounts it. */
export interface ServiceApp {
  fetch(request: Request, env: RequestEnv): Response | Promise<Response>
  readonly renderError: ErrorRenderer
  /** 503 for a request that the database could not serve; the edge adds `Retry-After`. */
  readonly renderUnavailable: (error: EmulatorError) => RenderedError
  /** The body of an unforeseen failure in this service's dialect; `trace` is known to the journal. */
  readonly renderInternal: (trace: string) => RenderedError
}
