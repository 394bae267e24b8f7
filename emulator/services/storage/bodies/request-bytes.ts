// Reads a request's body so that the reader can stop early. Leaving a normal loop over a stream cancels the stream, which would
// close the connection before the response is sent.
import { Readable } from 'node:stream'
import type { RequestEnv } from '../../../core/request-env.ts'
import { StorageError } from '../errors.ts'

/** Yields the body of a request in pieces. Yields nothing when the request has no body. @throws {StorageError} `clientGone` */
export async function* bytesOf(request: Request, env: RequestEnv): AsyncGenerator<Uint8Array> {
  const source = env.socketBody ?? request.body
  if (source === null) return
  try {
    yield* source instanceof Readable
      ? source.iterator({ destroyOnReturn: false })
      : source.values({ preventCancel: true })
  } catch (cause) {
    throw new StorageError('clientGone', 'The connection ended before the whole body arrived.', {
      cause,
    })
  }
}
