// Sends a request over a keep-alive connection. Sends header values as UTF-8, without control characters. Percent-encodes only
// the characters of a target that node:http refuses.
import { Agent, request } from 'node:http'

export interface HttpCase {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
  readonly bytes: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const BODILESS = new Set(['GET', 'HEAD'])

/** Sends one request to `origin`; status 0 when the connection ends without an answer. */
export function sendHttp(origin: string, { method, target, headers, body }: HttpCase) {
  const { hostname, port } = new URL(origin)
  const bytes = Buffer.from(body)
  const hasBody = bytes.length > 0 && !BODILESS.has(method)
  return new Promise<HttpAnswer>((resolve) => {
    const sent = request({
      hostname,
      port,
      agent,
      method,
      path: target.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent),
      setHost: true,
      // The answer's Content-Location header repeats the target percent-encoded, so it can be long.
      maxHeaderSize: 131_072,
    })
    for (const [name, value] of headers)
      sent.appendHeader(name, utf8(value).replace(/\p{Cc}/gu, ''))
    // node:http sets no Content-Length for the body of a DELETE or OPTIONS request.
    if (hasBody) sent.setHeader('content-length', bytes.length)
    sent.on('response', (answer) => {
      const pieces: Buffer[] = []
      const end = (): void => {
        const received = Buffer.concat(pieces)
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: received.toString(),
          bytes: received,
        })
      }
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', end)
      answer.on('error', end)
    })
    sent.on('error', ({ message: text }) =>
      resolve({ status: 0, headers: {}, text, bytes: Buffer.alloc(0) }),
    )
    sent.end(hasBody ? bytes : undefined)
  })
}

// Encodes a text as UTF-8 with one character per byte, because node:http writes header values as Latin-1.
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}
