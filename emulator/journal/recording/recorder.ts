// Records the newest requests in memory: always their headers, and their bodies while the inspector is open
// (contract/recording.ts). The recorder decodes headers and claims only when someone reads a recording.
import { Answer, type Reply } from '../../core/answer.ts'
import { type HeaderReader, receivedHeaders } from '../../core/headers.ts'
import type { JsonObject } from '../../core/json.ts'
import type {
  ArrivedRequest,
  OpenRecording,
  RequestRecorder,
} from '../../core/request-recording.ts'
import { credentialOf, readClaims } from '../../credentials/unverified-claims.ts'
import { KeptBytes, overhearIncoming, overhearOutgoing, overhearStream } from './kept-bytes.ts'

/** When to record bodies. `watched` records bodies while the inspector's event stream is open. */
export type BodyKeeping = 'watched' | 'always' | 'never'

/** A recorded request, including its secrets. */
export interface Recording {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly target: string
  readonly requestHeaders: HeaderReader
  /** The request's body, empty for a request without a body. `undefined` means that the body was not recorded. */
  readonly requestBody: KeptBytes | undefined
  /** The response's headers, or `undefined` until the response begins. */
  readonly responseHeaders: HeaderReader | undefined
  readonly responseBody: KeptBytes | undefined
  /** Claims of the request's credential. The credential may be invalid. */
  readonly claims: JsonObject | undefined
}

export interface Recordings extends RequestRecorder {
  /** Finds a recording. Returns `undefined` when newer requests have replaced the recording, and after a restart. */
  findRecording(requestId: string): Recording | undefined
  clear(): void
  /** Returns the claims of a recorded request's credential. Returns `undefined` when the request is not recorded. */
  claimsOfRequest(requestId: string): { readonly claims: JsonObject | undefined } | undefined
}

export interface RecorderOptions {
  readonly bodies: BodyKeeping
  /** Whether the inspector's event stream is open. */
  readonly isWatched: () => boolean
}

const CAPACITY = { requests: 1_000, bytes: 16 << 20 }
/** Estimated memory per request in bytes, without the request's texts. Includes the response's headers. */
const OVERHEAD_BYTES = 2_048

export function createRecorder({ bodies, isWatched }: RecorderOptions): Recordings {
  // The ring buffer is cheap to write and slow to search: every request writes, and only the inspector searches.
  const kept: (KeptRequest | undefined)[] = new Array(CAPACITY.requests).fill(undefined)
  let begun = 0
  let oldest = 0
  let keptBytes = 0

  const grow = (request: KeptRequest, bytes: number): void => {
    if (request.isDropped) return
    request.bytes += bytes
    keptBytes += bytes
    while (keptBytes > CAPACITY.bytes && oldest < begun) drop()
  }

  function drop(): void {
    const place = oldest % CAPACITY.requests
    const dropped = kept[place]
    kept[place] = undefined
    oldest += 1
    if (dropped === undefined) return
    dropped.isDropped = true
    keptBytes -= dropped.bytes
  }

  const find = (requestId: string): KeptRequest | undefined =>
    kept.findLast((request) => request?.requestId === requestId)

  const keepsBodies = (): boolean => bodies === 'always' || (bodies === 'watched' && isWatched())

  return {
    begin: (arrived) => {
      const request = new KeptRequest(arrived)
      if (begun - oldest >= CAPACITY.requests) drop()
      kept[begun % CAPACITY.requests] = request
      begun += 1
      grow(request, OVERHEAD_BYTES + sizeOf(arrived))
      return keepsBodies() ? request.overhear((bytes) => grow(request, bytes)) : request
    },
    clear: () => {
      while (oldest < begun) drop()
    },
    findRecording: (requestId) => find(requestId)?.recording(),
    claimsOfRequest: (requestId) => {
      const request = find(requestId)
      return request && { claims: request.claims() }
    },
  }
}

function sizeOf({ target, wire, request }: ArrivedRequest): number {
  let bytes = target.length
  const raw = wire?.incoming.rawHeaders
  if (raw !== undefined) for (const text of raw) bytes += text.length
  else for (const [name, value] of request.headers) bytes += name.length + value.length
  return bytes
}

class KeptRequest implements OpenRecording {
  readonly requestId: string
  /** Estimated memory of the recording in bytes. */
  bytes = 0
  isDropped = false
  request: Request
  readonly #target: string
  readonly #method: string
  readonly #url: string
  readonly #rawHeaders: readonly string[] | undefined
  readonly #headers: Headers | undefined
  #wire: ArrivedRequest['wire']
  #onKept: ((bytes: number) => void) | undefined
  #requestBody: KeptBytes | undefined
  #responseHeaders: HeaderReader | undefined
  #responseBody: KeptBytes | undefined

  constructor({ requestId, target, request, wire }: ArrivedRequest) {
    this.requestId = requestId
    this.#target = target
    this.request = request
    this.#method = request.method
    this.#url = request.url
    // Keeps only the raw headers, because a reference to the request would keep its socket in memory.
    this.#rawHeaders = wire?.incoming.rawHeaders
    this.#headers = this.#rawHeaders === undefined ? new Headers(request.headers) : undefined
    this.#wire = wire
  }

  /** Starts to record the bodies of the request and the response. */
  overhear(onKept: (bytes: number) => void): this {
    this.#onKept = onKept
    const { headers } = this.request
    const kept = new KeptBytes(isText(headers), onKept, headers.get('content-length'))
    this.#requestBody = kept
    if (this.#wire !== undefined) overhearIncoming(this.#wire.incoming, kept)
    else if (this.request.body === null) kept.end()
    else {
      const body = overhearStream(this.request.body, kept)
      const init: RequestInit & { readonly duplex: 'half' } = { body, duplex: 'half' }
      this.request = new Request(this.request, init)
    }
    return this
  }

  answered(reply: Reply): Reply {
    const wire = this.#wire
    this.#wire = undefined
    this.request = NO_REQUEST
    this.#responseHeaders = reply.headers
    if (this.#onKept === undefined) return reply
    const kept = new KeptBytes(isText(reply.headers), this.#onKept)
    this.#responseBody = kept
    if (wire !== undefined) overhearOutgoing(wire.outgoing, kept)
    else if (reply instanceof Answer || reply.body === null) {
      kept.add(reply.body)
      kept.end()
    } else return new Response(overhearStream(reply.body, kept), reply)
    return reply
  }

  claims(): JsonObject | undefined {
    return readClaims(credentialOf(this.#requestHeaders(), this.#target))
  }

  recording(): Recording {
    return {
      requestId: this.requestId,
      target: this.#target,
      method: this.#method,
      url: this.#url,
      requestHeaders: this.#requestHeaders(),
      requestBody: this.#requestBody,
      responseHeaders: this.#responseHeaders,
      responseBody: this.#responseBody,
      claims: this.claims(),
    }
  }

  #requestHeaders(): HeaderReader {
    return this.#headers ?? receivedHeaders(this.#rawHeaders ?? [])
  }
}

/** Replaces an answered request, because a reference to the original request would keep its socket in memory. */
const NO_REQUEST = new Request('http://request.invalid/')

const TEXT_TYPE =
  /^(text\/|application\/(.*\+)?(json|xml|javascript|ecmascript|yaml|sql|x-www-form-urlencoded|vnd\.pgrst)|image\/svg)/i

// Treats a body without a content type as text. A body without a content type is usually empty.
function isText(headers: HeaderReader): boolean {
  const encoding = headers.get('content-encoding') ?? 'identity'
  return encoding === 'identity' && TEXT_TYPE.test(headers.get('content-type') ?? 'text/plain')
}
