// The requests that services receive and the answers that they return, as plain values. The Web's `Request` and `Response` take
// more time than the rest of HTTP. `PlainRequest.web` and `toResponse` convert to the Web's types where code needs them.
import type { Readable, Writable } from 'node:stream'
import { HeaderList, type HeaderReader, receivedHeaders } from './headers.ts'
import { readRequestBytes } from './request-text.ts'
import { type StopSignal, stopSignalOf } from './stop-signal.ts'

/** The server's streams of a request and its response. */
export interface Wire {
  readonly incoming: Readable & {
    readonly rawHeaders?: readonly string[]
    readonly socket?: { readonly remoteAddress?: string | undefined }
    /** Whether the whole message arrived. */
    readonly complete?: boolean
  }
  readonly outgoing: Writable
}

/** The parts of a URL, percent-encoded. */
interface Address {
  /** Scheme and host, without a trailing slash. */
  readonly origin: string
  /** Host name and port. */
  readonly host: string
  readonly path: string
  /** The query with its `?`, or an empty text. */
  readonly search: string
}

export class PlainRequest implements Address {
  readonly method: string
  readonly origin: string
  readonly host: string
  readonly path: string
  readonly search: string
  readonly headers: HeaderReader
  readonly #source: Request
  readonly #wire: Wire | undefined
  readonly #isMoved: boolean

  /**
   * @param wire the connection of the request, if it has one
   * @param moved the address, when it differs from the address of `source`
   */
  constructor(source: Request, wire: Wire | undefined, moved?: Address) {
    const address = moved ?? addressOf(source.url)
    const raw = wire?.incoming.rawHeaders
    this.method = source.method
    this.origin = address.origin
    this.host = address.host
    this.path = address.path
    this.search = address.search
    this.headers = raw === undefined ? source.headers : receivedHeaders(raw)
    this.#source = source
    this.#wire = wire
    this.#isMoved = moved !== undefined
  }

  /** Path and query. */
  get target(): string {
    return this.path + this.search
  }

  /** Aborted when the caller no longer waits for the answer. */
  get signal(): StopSignal {
    return this.#wire === undefined ? this.#source.signal : stopSignalOf(this.#wire.outgoing)
  }

  /** Returns a `Request` for services that need one. A changed path needs a new `Request`, because its URL is immutable. */
  get web(): Request {
    if (!this.#isMoved) return this.#source
    return new Request(new URL(this.target, this.origin), this.#source)
  }

  /** Reads the body; `undefined` when it is larger than `maxBytes`. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    return readRequestBytes(this.#source, maxBytes)
  }

  /** Returns the request with the path that its service receives. */
  withPath(path: string): PlainRequest {
    if (path === this.path) return this
    const { origin, host, search } = this
    return new PlainRequest(this.#source, this.#wire, { origin, host, path, search })
  }
}

// Splits the URL of a `Request`, which is normalised, without parsing it again.
function addressOf(url: string): Address {
  const hostStart = url.indexOf('://') + '://'.length
  const pathStart = url.indexOf('/', hostStart)
  const hash = url.indexOf('#', pathStart)
  const end = hash < 0 ? url.length : hash
  const question = url.indexOf('?', pathStart)
  const pathEnd = question < 0 || question > end ? end : question
  const search = url.slice(pathEnd, end)
  return {
    origin: url.slice(0, pathStart),
    host: url.slice(hostStart, pathStart),
    path: url.slice(pathStart, pathEnd),
    search: search === '?' ? '' : search,
  }
}

/** A complete answer: all bytes of the body are in memory. The server sends it without a `Response`. */
export class Answer {
  readonly status: number
  readonly headers: HeaderList
  /** `undefined` means that the answer has no body and no Content-Length. */
  readonly body: Uint8Array | undefined
  /** Reason phrase of the status line. The default is the usual phrase of the status. */
  readonly reason: string | undefined

  constructor(
    status: number,
    headers: HeaderList | Readonly<Record<string, string>>,
    body?: Uint8Array | string,
    reason?: string,
  ) {
    this.status = status
    this.headers = headers instanceof HeaderList ? headers : new HeaderList(Object.entries(headers))
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.reason = reason
  }
}

/** What a service answers: plain bytes, or a `Response` when it needs a stream. */
export type Reply = Answer | Response

/** Returns the answer as a `Response`, for callers without a socket. */
export function toResponse(reply: Reply): Response {
  if (!(reply instanceof Answer)) return reply
  const { status, headers, body, reason } = reply
  return new Response(body === undefined || body.length === 0 ? null : plainBytes(body), {
    status,
    headers: [...headers],
    ...(reason === undefined ? {} : { statusText: reason }),
  })
}

// The engine never returns shared memory, so the cast to `ArrayBuffer` is safe.
function plainBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
