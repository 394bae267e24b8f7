// What the edge passes to every service beside the request, and what a service returns when it refuses.
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
  /** The service fills it in; the edge reports it once. */
  readonly facts: RequestFacts
  /** The connection comes from another machine. Absent without a socket, and for services that admit every caller. */
  readonly isRemote?: boolean
  /**
   * The body from the socket, for services that take large ones: the Request's own stream costs about as much as writing to
   * disk. A service reads either this or the Request's body. Absent without a socket.
   */
  readonly socketBody?: Readable
}

/** An error in the format of its service, ready for the wire. */
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

/** Renders a service's error. `undefined` for other errors, which the edge reports as internal. */
export type ErrorRenderer = (error: unknown) => RenderedError | undefined

/** One emulated service, as the server mounts it. */
export interface ServiceApp {
  fetch(request: Request, env: RequestEnv): Response | Promise<Response>
  readonly renderError: ErrorRenderer
  /** 503 when the database cannot serve the request; the edge adds `Retry-After`. */
  readonly renderUnavailable: (error: EmulatorError) => RenderedError
  /** An internal error in this service's format; the journal has its `trace`. */
  readonly renderInternal: (trace: string) => RenderedError
}
