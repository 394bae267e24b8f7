// A proxy that changes answers, for tests of tools that find differences and faults. The name of a channel selects how its frames
// are changed.
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket, { WebSocketServer } from 'ws'
import type { Json } from './test-emulator.ts'

export interface PlantedAnswer {
  status: number
  /** Headers by names in lower case. */
  headers: Record<string, string>
  /** The parsed body when the body is JSON, otherwise its bytes. */
  body: Json
}

/** Changes the given answer in place. */
export type PlantAnswer = (answer: PlantedAnswer) => void
/** Returns the frames to send instead of a frame, in the format of serializer 2.0.0. */
export type PlantFrames = (frame: Json) => readonly Json[]

export interface MutatingProxy extends AsyncDisposable {
  readonly url: string
}

/** @param plantsOf returns the changes of a request's answer @param frames changes of frames, by the last part of the topic */
export async function startMutatingProxy(
  target: string,
  plantsOf: (request: IncomingMessage) => readonly PlantAnswer[],
  frames: Readonly<Record<string, PlantFrames>>,
): Promise<MutatingProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const passed = request({ hostname, port, method, path: url, headers }, async (answer) => {
      // Stops sending the body, because an answer can arrive before the whole body was sent.
      incoming.unpipe(passed).resume()
      const changed = await answerOf(answer)
      for (const plant of plantsOf(incoming)) plant(changed)
      const bytes = bytesOf(changed.body)
      const length = answer.headers['content-length'] ?? '0'
      outgoing.writeHead(changed.status, {
        ...changed.headers,
        'content-length': method === 'HEAD' ? length : bytes.length,
      })
      outgoing.end(method === 'HEAD' ? undefined : bytes)
    })
    passed.on('error', () => {
      if (!outgoing.headersSent) outgoing.destroy()
    })
    incoming.pipe(passed)
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (incoming, wire, head) => {
    const key = incoming.headers['x-api-key']
    const upstream = new WebSocket(`${target.replace('http', 'ws')}${incoming.url}`, {
      headers: key === undefined ? {} : { 'x-api-key': key },
    })
    upstream.on('error', () => undefined)
    upstream.on('unexpected-response', async (_, answer) => {
      const { status, body } = await answerOf(answer)
      const bytes = bytesOf(body)
      wire.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n${bytes}`,
      )
    })
    upstream.on('open', () => {
      sockets.handleUpgrade(incoming, wire, head, (client) => relay(client, upstream, frames))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function relay(
  client: WebSocket,
  upstream: WebSocket,
  frames: Readonly<Record<string, PlantFrames>>,
): void {
  client.on('message', (bytes, isBinary) => upstream.send(bytes, { binary: isBinary }))
  upstream.on('message', (bytes: Buffer, isBinary) => {
    const frame = isBinary ? bytes : JSON.parse(bytes.toString())
    const topic: string = Array.isArray(frame) ? frame[2] : ''
    const change = frames[topic.split(':').at(-1) ?? '']
    if (change === undefined) client.send(bytes, { binary: isBinary })
    else for (const sent of change(frame)) client.send(JSON.stringify(sent))
  })
  client.on('close', () => upstream.close())
  // Replaces codes such as 1006, which an endpoint must not send (RFC 6455, section 7.4).
  upstream.on('close', (code) => client.close(code === 1_008 || code === 1_009 ? code : 1_000))
}

async function answerOf(answer: IncomingMessage): Promise<PlantedAnswer> {
  const bytes = Buffer.concat(await answer.toArray())
  const headers = Object.fromEntries(
    Object.entries(answer.headers)
      .filter(([name]) => !/^(content-length|transfer-encoding|connection)$/.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
  return { status: answer.statusCode ?? 0, headers, body: parsed(bytes) }
}

function parsed(bytes: Buffer): Json {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes
  }
}

function bytesOf(body: Json): Buffer {
  if (Buffer.isBuffer(body)) return body
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
}
