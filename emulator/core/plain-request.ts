// A request as the edge and the data plane read it. Its parts are plain values, and the Web's objects are created only for the
// services that need them.
import { type HeaderReader, receivedHeaders } from './headers.ts'
import type { Wire } from './request-recording.ts'
import { readRequestBytes } from './request-text.ts'
import { type StopSignal, stopSignalOf } from './stop-signal.ts'

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
   * @param moved the address, when it is not that of `source`
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

  /** The same request for a service that reads a `Request`. A different path needs a new one, because its URL is immutable. */
  get web(): Request {
    if (!this.#isMoved) return this.#source
    return new Request(new URL(this.target, this.origin), this.#source)
  }

  /** Reads the body; `undefined` when it is larger than `maxBytes`. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    return readRequestBytes(this.#source, maxBytes)
  }

  /** Returns the request with another path, as its service receives it. */
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
