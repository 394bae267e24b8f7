// Sends the requests of checks and opens their sockets. The only file of this room that uses the network.
import type { Clock } from '../../core/clock.ts'
import { parseJson } from '../../core/json.ts'
import type { Plane } from '../../traffic/har/har.ts'
import { type PlaneBases, socketUrl } from '../../traffic/planes.ts'
import { openReplaySocket, type ReplaySocket } from '../../traffic/replay/replay-socket.ts'
import type { Reply, Step, WireRequest } from '../model/steps.ts'

/** Wall-clock milliseconds after which a request counts as unanswered. */
const REQUEST_MILLIS = 30_000
/** A longer answer counts as none, because answers are read into memory. */
const MAX_ANSWER_BYTES = 64 << 20

export interface WireSocket {
  readonly reply: Reply
  readonly peer: ReplaySocket
}

export interface Wire {
  /** The reply to a request without an answer has the status 0. @throws {StoppedError} */
  send(request: WireRequest): Promise<Reply>
  /** Never rejects. */
  open(step: Extract<Step, { readonly kind: 'open' }>): Promise<WireSocket>
}

/** Thrown instead of sending a request when the run was stopped. */
export class StoppedError extends Error {
  constructor() {
    super('The run was stopped.')
    this.name = 'StoppedError'
  }
}

/** @param stop refuses further requests. A request that was sent ends, so that no group is created unseen. */
export function createWire(bases: PlaneBases, wallClock: Clock, stop?: AbortSignal): Wire {
  return {
    send: async (request) => {
      if (stop?.aborted === true) throw new StoppedError()
      // Some paths come from answers. After a host, "@other.example" would lead the credentials to another one.
      if (!request.path.startsWith('/'))
        return replyOf(0, {}, Buffer.from('the target named an address that is no path'))
      const aborter = new AbortController()
      const cancel = wallClock.after(REQUEST_MILLIS, () => aborter.abort())
      try {
        const response = await fetch(httpBase(bases, request.plane) + request.path, {
          method: request.method,
          headers: headersOf(request),
          body: bodyOf(request),
          redirect: 'manual',
          signal: aborter.signal,
        })
        const headers = Object.fromEntries(response.headers)
        return replyOf(response.status, headers, await bytesOf(response))
      } catch (error) {
        return replyOf(0, {}, Buffer.from(reasonOf(error)))
      } finally {
        cancel()
      }
    },
    open: async ({ headers, path }) => {
      const request = { method: 'GET', path, headers: Object.entries(headers), body: undefined }
      const peer = await openReplaySocket(socketUrl(bases.realtime), request, wallClock)
      const { answer } = peer
      const fields = answer.headers.map(({ name, value }) => [name.toLowerCase(), value])
      return {
        reply: replyOf(
          answer.status,
          Object.fromEntries(fields),
          Buffer.from(answer.content.text ?? ''),
        ),
        peer,
      }
    },
  }
}

// Clients of realtime leave out `/socket` for HTTP (docs/wire/realtime.md#broadcast).
function httpBase(bases: PlaneBases, plane: Plane): string {
  return plane === 'realtime' ? bases.realtime.replace(/\/socket$/, '') : bases[plane]
}

/** @throws {Error} for an answer that is too long */
async function bytesOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let left = MAX_ANSWER_BYTES
  for await (const chunk of body ?? []) {
    left -= chunk.length
    if (left < 0) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES >> 20} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function replyOf(status: number, headers: Reply['headers'], bytes: Buffer): Reply {
  const text = bytes.toString()
  return { status, headers, text, bytes, body: text === '' ? undefined : (parseJson(text) ?? text) }
}

function headersOf({ bearer, headers, json }: WireRequest): Record<string, string> {
  return {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
}

function bodyOf({ body, json }: WireRequest): NonNullable<WireRequest['body']> | null {
  return body ?? (json === undefined ? null : JSON.stringify(json))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
