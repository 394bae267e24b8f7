// A recording contains no secret, neither plain nor encoded, in 1,000 random places of requests, answers and frames.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import {
  coreOf,
  diceOf,
  hasSecret,
  type Placed,
  placeSecret,
} from '../../support/hidden-secrets.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { until } from '../../support/until.ts'

const PLACES = 1_000
const sockets = new WebSocketServer({ noServer: true })
let answer: Placed['answer']
const server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    const { body, headers = [] } = answer ?? {}
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    if (body !== undefined) {
      if (body.type !== '') outgoing.setHeader('content-type', body.type)
      if (body.coding !== undefined) outgoing.setHeader('content-encoding', body.coding)
    }
    outgoing.end(body?.bytes)
  })
})
server.on('upgrade', (incoming, socket, head) =>
  sockets.handleUpgrade(incoming, socket, head, (peer) => {
    peer.on('message', (bytes, isBinary) => peer.send(bytes, { binary: isBinary }))
  }),
)
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function send(proxy: string, placed: Placed): Promise<void> {
  const { body, frame, headers, target } = placed
  answer = placed.answer
  if (frame !== undefined)
    return echo(`${proxy.replace('http', 'ws')}/realtime/v1/websocket`, frame)
  const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  if (body !== undefined && body.type !== '') sent.set('content-type', body.type)
  if (body?.coding !== undefined) sent.set('content-encoding', body.coding)
  const init = { method: body === undefined ? 'GET' : 'POST', headers: sent }
  const response = await fetch(proxy + target, {
    ...init,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: new Uint8Array(body.bytes) }),
  })
  // The client cannot decode some of the bodies.
  await response.arrayBuffer().catch(() => undefined)
}

async function echo(address: string, frame: string | Buffer): Promise<void> {
  const peer = new WebSocket(address)
  await new Promise((resolve) => peer.once('open', resolve))
  const echoed = new Promise((resolve) => peer.once('message', resolve))
  peer.send(frame)
  await echoed
  peer.close()
}

it(`a recording masks a secret in each of ${PLACES} random places`, {
  timeout: 120_000,
}, async () => {
  const dice = diceOf(20_261_123)
  await using proxy = await startRecordingProxy(url)
  const leaks: string[] = []
  for (let count = 1; count <= PLACES; count += 1) {
    const core = coreOf(dice)
    const placed = placeSecret(dice, core)
    await send(proxy.url, placed)
    await until(() => proxy.entries.length === count)
    const file = JSON.stringify(proxy.entries.at(-1))
    if (hasSecret(file, core)) leaks.push(`${placed.place}: ${file}`)
  }
  expect(leaks.slice(0, 20)).toEqual([])
})

it('the check finds secrets that are not masked', () => {
  const core = 'abcdefghijkl012345'
  const texts = [
    core,
    JSON.stringify({ a: JSON.stringify({ [core]: 1 }) }),
    JSON.stringify({ text: Buffer.from(core).toString('base64') }),
    JSON.stringify({ text: Buffer.from(core, 'utf16le').toString('base64') }),
    `%61${core.slice(1)}`,
    `{"a":"\\u0061${core.slice(1)}"}`,
  ]
  expect(texts.filter((text) => !hasSecret(text, core))).toEqual([])
})
