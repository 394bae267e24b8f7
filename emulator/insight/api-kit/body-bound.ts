// Limits the size of request bodies of the emulator's own API. Checks Content-Length when it is present; otherwise counts the
// bytes while the body is read.
import { InspectorError } from './errors.ts'

const MAX_BYTES = 1 << 20
/** Maximum bytes of a request that checks or applies a fixture bundle. */
const MAX_BUNDLE_BYTES = 256 << 20
const BUNDLE_PATH = /\/fixtures\/(check|apply)$/
/** Maximum bytes of a request that imports rows. */
const MAX_IMPORT_BYTES = 50 << 20
const IMPORT_PATH = /\/import$/
/** Maximum bytes of a request that edits rows. The request also has the values that the editor saw, up to a page of rows. */
const MAX_EDITS_BYTES = 50 << 20
const EDITS_PATH = /\/tables\/[^/]+\/rows$/
/** Maximum bytes of a recording of traffic. */
const MAX_RECORDING_BYTES = 256 << 20
const RECORDING_PATH = /\/comparisons$/
/** Maximum bytes of a request that contains all steps of an application. */
const MAX_STEPS_BYTES = 32 << 20
const STEPS_PATH = /\/migrations\/\w+$/

/** Returns the request, or a copy whose body stream fails when it exceeds the limit. @throws {InspectorError} `body_too_large` */
export function boundBody(request: Request): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const limit = limitOf(new URL(request.url).pathname)
  const length = request.headers.get('content-length')
  if (length !== null) {
    if (Number(length) > limit) throw tooLarge(limit)
    if (request.headers.get('transfer-encoding') === null) return request
  }
  if (request.body === null) return request
  // Copies the members one by one, because the Request constructor rejects the HTTP server's own request objects.
  const { method, headers, signal } = request
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    signal,
    body: request.body.pipeThrough(countingStream(limit)),
    duplex: 'half',
  }
  return new Request(request.url, init)
}

function limitOf(path: string): number {
  if (BUNDLE_PATH.test(path)) return MAX_BUNDLE_BYTES
  if (RECORDING_PATH.test(path)) return MAX_RECORDING_BYTES
  if (STEPS_PATH.test(path)) return MAX_STEPS_BYTES
  if (EDITS_PATH.test(path)) return MAX_EDITS_BYTES
  return IMPORT_PATH.test(path) ? MAX_IMPORT_BYTES : MAX_BYTES
}

function countingStream(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length
      if (bytes > limit) controller.error(tooLarge(limit))
      else controller.enqueue(chunk)
    },
  })
}

function tooLarge(limit: number): InspectorError {
  return new InspectorError('body_too_large', `The body has more than ${limit >> 20} MB.`)
}
