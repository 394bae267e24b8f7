// Sends a request over a kept connection. Header values go out as they are, in UTF-8, without what would end their line; of a
// target only what node:http's parser refuses is percent-encoded.
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
      // Content-Location repeats the target, percent-encoded.
      maxHeaderSize: 131_072,
    })
    for (const [name, value] of headers)
      sent.appendHeader(name, utf8(value).replace(/\p{Cc}/gu, ''))
    // node:http announces no body of a DELETE or OPTIONS by itself.
    if (hasBody) sent.setHeader('content-length', bytes.length)
    sent.on('response', (answer) => {
      const pieces: Buffer[] = []
      const end = (): void =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(pieces).toString(),
        })
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', end)
      answer.on('error', end)
    })
    sent.on('error', (error) => resolve({ status: 0, headers: {}, text: error.message }))
    sent.end(hasBody ? bytes : undefined)
  })
}

// One character for each byte, as node:http writes them.
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}
