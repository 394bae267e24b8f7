// Interface for services with WebSockets (RFC 6455): a service accepts or refuses a handshake, then gets a connection.
// server/upgrade.ts implements it.
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'

/** The HTTP request that opens a WebSocket. */
export interface Handshake {
  readonly requestId: string
  readonly url: URL
  readonly headers: Headers
  /** The service adds facts; the edge reports them once. */
  readonly facts: RequestFacts
}

/** An open socket. Each frame is a complete message. */
export interface Connection {
  /** Bytes passed to `send` that have not reached the peer's machine yet. */
  readonly bufferedBytes: number
  /** Sends text (UTF-8 bytes) or a binary frame. Does nothing after `close`. */
  send(bytes: Uint8Array, isBinary: boolean): void
  /**
   * Closes with a code and a reason of at most 123 bytes. Ends the connection soon afterwards when the peer does not close it.
   */
  close(code: number, reason: string): void
  /** Stops reading until `resume`. Frames already received still arrive. */
  pause(): void
  resume(): void
}

/** Callbacks of a connection. The callbacks must not throw. */
export interface ConnectionListener {
  onFrame(bytes: Buffer, isBinary: boolean): void
  /** Called once, after the connection has ended. */
  onClosed(code: number): void
}

export type Admission =
  | { readonly kind: 'refused'; readonly error: RenderedError }
  | { readonly kind: 'admitted'; serve(connection: Connection): ConnectionListener }

export interface SocketService {
  /** Maximum size of a frame. A larger frame ends the connection with code 1009. */
  readonly maxFrameBytes: number
  admit(handshake: Handshake): Promise<Admission>
}
