// A proxy that changes answers, for tests of what a comparison finds. The header `x-plant` of a request names the change of its
// answer. Frames are changed by the name of their channel.
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket, { WebSocketServer } from 'ws'
import type { Json } from './test-emulator.ts'

export interface PlantedAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Parsed when it is JSON, otherwise the bytes. */
  body: Json
}

/** Changes the answer it is given. */
export type PlantAnswer = (answer: PlantedAnswer) => void
/** Returns the frames to send instead of one, as serializer 2.0.0 has them. */
export type PlantFrames = (frame: Json) => readonly Json[]

export interface MutatingProxy extends AsyncDisposable {
  readonly url: string
}

/** @param frames by the last part of the topic */
export async function startMutatingProxy(
  target: string,
  answers: Readonly<Record<string, PlantAnswer>>,
  frames: Readonly<Record<string, PlantFrames>>,
): Promise<MutatingProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const passed = request({ hostname, port, method, path: url, headers }, async (answer) => {
      const changed = await answerOf(answer)
      answers[String(headers['x-plant'])]?.(changed)
      outgoing.writeHead(changed.status, changed.headers)
      outgoing.end(method === 'HEAD' ? undefined : bytesOf(changed.body))
    })
    incoming.pipe(passed)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (client, incoming) => {
    const upstream = new WebSocket(`${target.replace('http', 'ws')}${incoming.url}`)
    const waiting: (() => void)[] = []
    client.on('message', (bytes, isBinary) => {
      const send = (): void => upstream.send(bytes, { binary: isBinary })
      if (upstream.readyState === upstream.OPEN) send()
      else waiting.push(send)
    })
    upstream.on('open', () => {
      for (const send of waiting) send()
    })
    upstream.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString())
      const change = frames[String(frame[2]).split(':').at(-1) ?? '']
      for (const sent of change?.(frame) ?? [frame]) client.send(JSON.stringify(sent))
    })
    client.on('close', () => upstream.close())
    upstream.on('close', () => client.close())
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
