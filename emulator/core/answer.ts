// The answer of a service that has all its bytes at hand. Such an answer reaches the socket without a `Response`.
import { HeaderList } from './headers.ts'

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
