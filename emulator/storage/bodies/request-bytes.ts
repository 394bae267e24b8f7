// The bytes of a request's body, in a form that can be left early: looping over a stream and leaving cancels it, which
// would cut the connection before its answer.
import { Readable } from 'node:stream'
import type { RequestEnv } from '../../core/request-env.ts'
import { StorageError } from '../errors.ts'

/** The body piece by piece; empty when there is none. @throws {StorageError} `clientGone` while it is read */
export async function* bytesOf(request: Request, env: RequestEnv): AsyncGenerator<Uint8Array> {
  const source = env.socketBody ?? request.body
  if (source === null) return
  try {
    yield* source instanceof Readable
      ? source.iterator({ destroyOnReturn: false })
      : source.values({ preventCancel: true })
  } catch (cause) {
    throw new StorageError('clientGone', 'The body ended before it was whole.', { cause })
  }
}
