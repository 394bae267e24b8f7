// How a service speaks over sockets without knowing the server that accepts them: it decides on a handshake and gets a
// connection (RFC 6455). server/upgrade.ts is the other side.
import type { RequestFacts } from './observation.ts'
import type { RenderedError } from './request-env.ts'

/** An HTTP request that wants to become a socket. */
export interface Handshake {
  readonly requestId: string
  readonly url: URL
  readonly headers: Headers
  /** The service fills in what it learns; reported once. */
  readonly facts: RequestFacts
}

/** One open socket, frames whole. */
export interface Connection {
  /** Bytes accepted by `send` that the peer's machine has not taken yet. */
  readonly bufferedBytes: number
  /** Sends text (UTF-8 bytes) or a binary frame; nothing once the connection is closing. */
  send(bytes: Uint8Array, isBinary: boolean): void
  /** Says goodbye with a code and a reason of at most 123 bytes, and hangs up soon after if the peer does not. */
  close(code: number, reason: string): void
  /** Stops reading until `resume`; frames that came before still arrive. */
  pause(): void
  resume(): void
}

/** What a connection tells of its peer. Neither may throw. */
export interface ConnectionListener {
  onFrame(bytes: Buffer, isBinary: boolean): void
  /** Once, however the connection ended. */
  onClosed(code: number): void
}

export type Admission =
  | { readonly kind: 'refused'; readonly error: RenderedError }
  | { readonly kind: 'admitted'; serve(connection: Connection): ConnectionListener }

export interface SocketService {
  /** Larger frames end their connection with code 1009. */
  readonly maxFrameBytes: number
  admit(handshake: Handshake): Promise<Admission>
}
