// The port through which a service uses sockets: it accepts or refuses a handshake and gets a connection (RFC 6455).
// server/upgrade.ts implements it.
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'

/** An HTTP request for a WebSocket. */
export interface Handshake {
  readonly requestId: string
  readonly url: URL
  readonly headers: Headers
  /** The service fills it in; the edge reports it once. */
  readonly facts: RequestFacts
}

/** An open socket. Frames are complete messages. */
export interface Connection {
  /** Bytes that `send` accepted and the peer's machine has not received yet. */
  readonly bufferedBytes: number
  /** Sends text (UTF-8 bytes) or a binary frame. Does nothing once the connection is closing. */
  send(bytes: Uint8Array, isBinary: boolean): void
  /** Closes with a code and a reason of at most 123 bytes. Ends the connection soon after if the peer does not. */
  close(code: number, reason: string): void
  /** Stops reading until `resume`; frames received before still arrive. */
  pause(): void
  resume(): void
}

/** Callbacks of a connection; they must not throw. */
export interface ConnectionListener {
  onFrame(bytes: Buffer, isBinary: boolean): void
  /** Called once when the connection has ended. */
  onClosed(code: number): void
}

export type Admission =
  | { readonly kind: 'refused'; readonly error: RenderedError }
  | { readonly kind: 'admitted'; serve(connection: Connection): ConnectionListener }

export interface SocketService {
  /** A larger frame ends the connection with code 1009. */
  readonly maxFrameBytes: number
  admit(handshake: Handshake): Promise<Admission>
}
