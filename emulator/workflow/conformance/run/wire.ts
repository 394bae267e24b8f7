// Sends the requests of checks and opens their sockets. No other file of conformance/ uses the network.
import { AnswerError } from '../../../platform/http-client/answer-error.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import { readJson } from '../../../platform/http-client/read-json.ts'
import type { Plane } from '../../traffic/har/har.ts'
import { type PlaneBases, socketUrl } from '../../traffic/planes.ts'
import { openReplaySocket, type ReplaySocket } from '../../traffic/replay/replay-socket.ts'
import type { Reply, Step, WireRequest } from '../model/steps.ts'

export interface WireSocket {
  readonly reply: Reply
  readonly peer: ReplaySocket
}

export interface Wire {
  /** Returns a reply with the status 0 when no answer arrives. @throws {StoppedError} */
  send(request: WireRequest): Promise<Reply>
  /** Never rejects. */
  open(step: Extract<Step, { readonly kind: 'open' }>): Promise<WireSocket>
}

/** Thrown instead of sending a request after the run was stopped. */
export class StoppedError extends Error {
  constructor() {
    super('The run was stopped.')
    this.name = 'StoppedError'
  }
}

/** @param stop prevents further requests. A request that was already sent runs to its end, so that its group is removed, too. */
export function createWire(bases: PlaneBases, http: HttpClient, stop?: AbortSignal): Wire {
  return {
    send: async (request) => {
      if (stop?.aborted === true) throw new StoppedError()
      // Some paths come from answers. After the host, a path such as "@other.example" would send the credentials to another
      // host.
      if (!request.path.startsWith('/'))
        return noReply('The target named an address that is not a path.')
      const url = httpBase(bases, request.plane) + request.path
      try {
        const { bytes, headers, status } = await http.send({
          url,
          method: request.method,
          headers: headersOf(request),
          body: bodyOf(request),
        })
        const body = bodyIn(url, bytes)
        return { status, headers: Object.fromEntries(headers), text: bytes.toString(), bytes, body }
      } catch (error) {
        if (!(error instanceof AnswerError)) throw error
        return noReply([error.message, error.hint].join(' '))
      }
    },
    open: async ({ headers, path }) => {
      const request = { method: 'GET', path, headers: Object.entries(headers), body: undefined }
      const peer = await openReplaySocket(socketUrl(bases.realtime), request, http)
      const { answer } = peer
      const fields = answer.headers.map(({ name, value }) => [name.toLowerCase(), value])
      const bytes = Buffer.from(answer.content.text ?? '')
      return {
        reply: {
          status: answer.status,
          headers: Object.fromEntries(fields),
          text: bytes.toString(),
          bytes,
          body: bodyIn(bases.realtime, bytes),
        },
        peer,
      }
    },
  }
}

// Realtime clients leave out `/socket` in addresses of HTTP requests (docs/wire/realtime.md#broadcast).
function httpBase(bases: PlaneBases, plane: Plane): string {
  return plane === 'realtime' ? bases.realtime.replace(/\/socket$/, '') : bases[plane]
}

function noReply(reason: string): Reply {
  return { status: 0, headers: {}, text: reason, bytes: Buffer.from(reason), body: reason }
}

/** @throws {AnswerError} */
function bodyIn(url: string, bytes: Buffer): Reply['body'] {
  const text = bytes.toString()
  return text === '' ? undefined : (readJson(new URL(url).origin, text) ?? text)
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
