// Sends requests to another process and reads its answers within bounds. Every command that calls a platform or a running
// emulator uses it.
import type { Clock } from '../../core/clock.ts'
import { type AnswerBounds, DEFAULT_BOUNDS } from './answer-bounds.ts'
import { AnswerError, causeOf } from './answer-error.ts'
import { type AnswerWatch, watchAnswer } from './answer-watch.ts'

export interface HttpRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit['body']> | null
  /** Overrides `periodMillis` of the client's bounds. */
  readonly periodMillis?: number
  /**
   * Called before a request without an answer fails. When the result is true, the other process still answers other requests, and
   * the wait continues.
   */
  readonly isAlive?: () => Promise<boolean>
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** Follows no redirects, because a redirect would send credentials to an address that the user did not name. */
export interface HttpClient {
  readonly wallClock: Clock
  readonly bounds: AnswerBounds
  /** Reads the whole answer. @throws {AnswerError} */
  send(request: HttpRequest): Promise<HttpAnswer>
  /**
   * Returns the body of an answer with status 2xx while it arrives. The body may have any length, but fails after one period
   * without a byte. Reads the whole answer for any other status.
   * @throws {AnswerError}
   */
  open(request: HttpRequest): Promise<ReadableStream<Uint8Array> | HttpAnswer>
}

export interface HttpClientDeps {
  readonly wallClock: Clock
  readonly bounds?: AnswerBounds
  readonly fetch?: typeof globalThis.fetch
}

export function createHttpClient({
  bounds = DEFAULT_BOUNDS,
  fetch = globalThis.fetch,
  wallClock,
}: HttpClientDeps): HttpClient {
  const begin = async ({ isAlive, periodMillis, url, ...init }: HttpRequest): Promise<Begun> => {
    const { origin } = new URL(url)
    const aborter = new AbortController()
    const onFailure = (error: AnswerError): void => aborter.abort(error)
    const own = periodMillis === undefined ? bounds : { ...bounds, periodMillis }
    const watch = watchAnswer({ bounds: own, wallClock, origin, isAlive, onFailure })
    try {
      const { signal } = aborter
      const response = await fetch(url, { ...init, redirect: 'manual', signal })
      return { origin, response, watch }
    } catch (error) {
      watch.stop()
      throw failureOf(origin, error)
    }
  }
  return {
    wallClock,
    bounds,
    send: async (request) => readWhole(await begin(request)),
    open: async (request) => {
      const begun = await begin(request)
      const { response, watch } = begun
      if (!response.ok || response.body === null) return readWhole(begun)
      watch.answered('stream')
      return watched(response.body, watch)
    },
  }
}

interface Begun {
  readonly origin: string
  readonly response: Response
  readonly watch: AnswerWatch
}

async function readWhole({ origin, response, watch }: Begun): Promise<HttpAnswer> {
  watch.answered('whole')
  try {
    const bytes = await bytesOf(response.body, watch)
    return { status: response.status, headers: response.headers, bytes }
  } catch (error) {
    throw failureOf(origin, error)
  } finally {
    watch.stop()
  }
}

async function bytesOf(body: Response['body'], watch: AnswerWatch): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  // An exception in the loop cancels the body, which closes the connection.
  for await (const chunk of body ?? []) {
    watch.received(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function watched(body: ReadableStream<Uint8Array>, watch: AnswerWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          watch.received(value.length)
          controller.enqueue(value)
          return
        }
        watch.stop()
        controller.close()
      } catch (error) {
        watch.stop()
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      watch.stop()
      await reader.cancel(reason)
    },
  })
}

function failureOf(origin: string, error: unknown): AnswerError {
  if (error instanceof AnswerError) return error
  if (isHeadersTimeout(error))
    return new AnswerError('no_first_byte', `${origin} sent no answer within 300 s.`, {
      hint: 'The request may still be carried out. Check its result before you send it again.',
      cause: error,
    })
  return new AnswerError(
    'no_connection',
    `${origin} did not answer, or the connection was cut (${causeOf(error)}).`,
    {
      hint: 'Check the address and the network connection.',
      cause: error,
    },
  )
}

/**
 * Returns whether `fetch` stopped waiting for the head of the answer. `fetch` waits 300 s, which cannot be changed (undici,
 * `headersTimeout`).
 */
function isHeadersTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_HEADERS_TIMEOUT'
}
