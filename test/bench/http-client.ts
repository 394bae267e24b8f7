// A keep-alive HTTP/1.1 client for the bench, so fast that it does not limit the measurement. Uses one socket and sends one
// request at a time. Reads bodies by Content-Length or chunked.
import { connect, type Socket } from 'node:net'

export interface BenchAnswer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

export interface BenchConnection {
  send(request: string): Promise<BenchAnswer>
  close(): void
}

/** Opens one connection. */
export function openConnection(host: string, port: number): Promise<BenchConnection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true })
    let pending: { resolve(answer: BenchAnswer): void; reject(error: Error): void } | undefined
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = parseAnswer(received)
      if (answer === undefined) return
      received = Buffer.alloc(0)
      pending?.resolve(answer)
    })
    socket.on('error', (error) => {
      pending?.reject(error)
      reject(error)
    })
    socket.on('connect', () =>
      resolve({
        send: (request) =>
          new Promise((done, fail) => {
            pending = { resolve: done, reject: fail }
            socket.write(request)
          }),
        close: () => socket.destroy(),
      }),
    )
  })
}

/** Builds the bytes of a request. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  return `${method} ${path} HTTP/1.1\r\n${[...lines, ...length].join('\r\n')}\r\n\r\n${body}`
}

function parseAnswer(bytes: Buffer): BenchAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const start = end + 4
  if (length !== undefined)
    return bytes.length - start >= Number(length)
      ? { status, head, body: bytes.toString('utf8', start) }
      : undefined
  if (status === 204 || status === 304) return { status, head, body: '' }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, body: '' }
  return bytes.subarray(-5).equals(Buffer.from('0\r\n\r\n'))
    ? { status, head, body: bytes.toString('utf8', start) }
    : undefined
}
