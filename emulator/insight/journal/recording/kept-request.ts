// One recorded request: its raw headers, its bodies if they are recorded, and its claims. recorder.ts creates it.
import { type HeaderReader, receivedHeaders } from '../../../core/headers.ts'
import type { JsonObject } from '../../../core/json.ts'
import { Answer, type Reply } from '../../../core/plain-http.ts'
import type { ArrivedRequest, OpenRecording } from '../../../core/request-recording.ts'
import type { Stage } from '../../../core/stopwatch.ts'
import { credentialOf, readClaims } from '../../../platform/credentials/unverified-claims.ts'
import {
  KeptBytes,
  overhearIncoming,
  overhearOutgoing,
  overhearStream,
  readStart,
} from './kept-bytes.ts'

/** The part of a recorded request that its rings read and write. */
export interface RingMember {
  readonly requestId: string
  /** Estimated memory of the recording in bytes. */
  bytes: number
  /** Bits of the rings that contain the request. */
  rings: number
}

/** A recorded request, including its secrets. */
export interface Recording {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly target: string
  /** Whether the answer has status 400 or above. */
  readonly isRefused: boolean
  readonly requestHeaders: HeaderReader
  /** The request's body, empty for a request without a body. `undefined` means that the body was not recorded. */
  readonly requestBody: KeptBytes | undefined
  /** The response's headers, or `undefined` until the response begins. */
  readonly responseHeaders: HeaderReader | undefined
  readonly responseBody: KeptBytes | undefined
  /** Claims of the request's credential. The credential may be invalid. */
  readonly claims: JsonObject | undefined
  /** The measured stages of the request. `undefined` when it was not measured. */
  readonly stages: readonly Stage[] | undefined
  /** Whether secrets of the request's body are masked, as in a recording of another emulator. Default: false. */
  readonly hasMaskedBody?: boolean
}

/** The part of a recording that a span of the request shows. */
export interface TimedRequest {
  readonly url: string
  readonly headers: HeaderReader
  /** `undefined` when the request was not measured. */
  readonly stages: readonly Stage[] | undefined
}

/** Why a request's bodies are recorded: an inspector is open, or the answer may be a refusal. */
export type BodyReason = 'watched' | 'ifRefused'

/** Callbacks into the lists (rings) that contain a request. */
export interface Rings {
  readonly grown: (request: KeptRequest, bytes: number) => void
  readonly refused: (request: KeptRequest) => void
}

/** A request that is being recorded, and later its recording. */
export class KeptRequest implements OpenRecording, RingMember {
  readonly requestId: string
  bytes = 0
  rings = 0
  request: Request
  readonly #rings: Rings
  readonly #target: string
  readonly #method: string
  readonly #url: string
  readonly #rawHeaders: readonly string[] | undefined
  readonly #headers: Headers | undefined
  #wire: ArrivedRequest['wire']
  #reason: BodyReason | undefined
  #isRefused = false
  #requestBody: KeptBytes | undefined
  #responseHeaders: HeaderReader | undefined
  #responseBody: KeptBytes | undefined
  #stages: readonly Stage[] | undefined

  constructor({ requestId, target, request, wire }: ArrivedRequest, rings: Rings) {
    this.requestId = requestId
    this.#rings = rings
    this.#target = target
    this.request = request
    this.#method = request.method
    this.#url = request.url
    // Keeps only the raw headers, because a reference to the request would keep its socket in memory.
    this.#rawHeaders = wire?.incoming.rawHeaders
    this.#headers = this.#rawHeaders === undefined ? new Headers(request.headers) : undefined
    this.#wire = wire
  }

  /** Starts to record the body of the request. */
  overhear(reason: BodyReason): this {
    this.#reason = reason
    // Most requests are reads without a body, and cost nothing while no inspector is open.
    if (reason === 'ifRefused' && !this.#mayHaveBody()) return this
    const { headers } = this.request
    const kept = this.#keptBytes(headers, headers.get('content-length'))
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

  answered(reply: Reply, stages?: readonly Stage[]): Reply {
    this.#stages = stages
    const { request } = this
    const wire = this.#wire
    this.#wire = undefined
    this.request = NO_REQUEST
    this.#responseHeaders = reply.headers
    this.#isRefused = reply.status >= 400
    if (this.#isRefused) this.#rings.refused(this)
    if (this.#reason === undefined) return reply
    if (this.#reason === 'ifRefused' && !this.#keepRefusal()) return reply
    // Without a socket, bytes only arrive while the body is read, and a service may refuse a request before it reads the body.
    // The recorder therefore reads the body itself.
    if (wire === undefined && this.#isRefused && !request.bodyUsed) void readStart(request.body)
    return this.#overhearAnswer(reply, wire)
  }

  timed(): TimedRequest {
    return { url: this.#url, headers: this.#requestHeaders(), stages: this.#stages }
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
      isRefused: this.#isRefused,
      requestHeaders: this.#requestHeaders(),
      requestBody: this.#requestBody,
      responseHeaders: this.#responseHeaders,
      responseBody: this.#responseBody,
      claims: this.claims(),
      stages: this.#stages,
    }
  }

  forgetUnwatchedBodies(): void {
    if (this.#reason !== 'ifRefused') return
    this.#requestBody?.forget()
    this.#responseBody?.forget()
    this.#requestBody = undefined
    this.#responseBody = undefined
  }

  #mayHaveBody(): boolean {
    return this.#method !== 'GET' && this.#method !== 'HEAD'
  }

  /** Forgets the body of a successful request. Returns whether the answer is a refusal, whose bodies stay. */
  #keepRefusal(): boolean {
    if (!this.#isRefused) {
      this.#requestBody?.forget()
      this.#requestBody = undefined
      return false
    }
    if (this.#requestBody === undefined) {
      this.#requestBody = this.#keptBytes(this.#requestHeaders(), null)
      this.#requestBody.end()
    }
    return true
  }

  #overhearAnswer(reply: Reply, wire: ArrivedRequest['wire']): Reply {
    const kept = this.#keptBytes(reply.headers, null)
    this.#responseBody = kept
    if (wire !== undefined) overhearOutgoing(wire.outgoing, kept)
    else if (reply instanceof Answer || reply.body === null) {
      kept.add(reply.body)
      kept.end()
    } else return new Response(overhearStream(reply.body, kept), reply)
    return reply
  }

  #keptBytes(headers: HeaderReader, announced: string | null): KeptBytes {
    return new KeptBytes(isText(headers), (bytes) => this.#rings.grown(this, bytes), announced)
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
