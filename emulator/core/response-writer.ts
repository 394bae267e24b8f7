// Lets a service write the body of a response to the socket itself. A large file then reaches the socket in two buffers that
// are used again and again. The response's stream would need a new buffer for each piece, which halves the speed.
import type { Writable } from 'node:stream'

/** Writes the whole body and ends `outgoing`. Destroys `outgoing` when the body cannot be completed. */
export type BodyWriter = (outgoing: Writable) => void

const writers = new WeakMap<Response, BodyWriter>()

/** Sets the writer for the body of a response. A caller without a socket reads the response's body instead. */
export function setBodyWriter(response: Response, writer: BodyWriter): void {
  writers.set(response, writer)
}

/** Returns the writer of a response. The server either calls the writer or reads the body. */
export function bodyWriterOf(response: Response): BodyWriter | undefined {
  return writers.get(response)
}
