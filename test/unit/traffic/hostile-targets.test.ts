// Recording and replaying against a server that sends more than it may.
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { ManualClock, SystemClock } from '../../../emulator/core/clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { basesOf } from '../../../emulator/workflow/traffic/planes.ts'
import { BodyCopy } from '../../../emulator/workflow/traffic/record/body-copy.ts'
import { FrameReader } from '../../../emulator/workflow/traffic/record/frame-reader.ts'
import { openReplaySocket } from '../../../emulator/workflow/traffic/replay/replay-socket.ts'
import { sendRequest } from '../../../emulator/workflow/traffic/replay/send-request.ts'
import { startHostileServer } from '../../support/hostile-server.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { until } from '../../support/until.ts'

const http = createHttpClient({ wallClock: new SystemClock() })

it('a recording leaves out a body that would decode to more than 64 MB', () => {
  const bomb = gzipSync(Buffer.alloc(65 << 20))
  const copy = new BodyCopy(1 << 20)
  copy.add(bomb)
  const mask = { body: (bytes: Buffer) => bytes, opaque: () => undefined }
  expect(copy.toHar('text/plain', 'gzip', mask)).toMatchObject({ size: bomb.length, _kept: 0 })
  expect(copy.received('text/plain', 'gzip')).toMatchObject({ encoding: 'base64' })
})

it('the frame reader stops reading a message whose fragments together are too long', () => {
  const reader = new FrameReader({ extensions: undefined, from: 'server' })
  const payload = Buffer.alloc(6 << 20)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(payload.length))
  const frame = (first: number) => Buffer.concat([Buffer.from([first, 127]), size, payload])
  const fragments = [0x02, 0x00, 0x00].flatMap((first) => reader.read(frame(first)))
  expect(fragments).toEqual([])
  const whole = Buffer.from([0x81, 1, 0x61])
  expect(reader.read(whole)).toEqual([])
})

it('a replay reads only the start of the body of a refused handshake', async () => {
  const server = createServer().on('upgrade', (_, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    const piece = Buffer.alloc(1 << 20, 'x')
    const write = (): void => {
      if (socket.writable) socket.write(piece, () => setImmediate(write))
    }
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const request = { method: 'GET', path: '/x', headers: [], body: undefined }
  const { answer } = await openReplaySocket(`ws://127.0.0.1:${port}`, request, http)
  expect(answer).toMatchObject({ status: 403, content: { size: 1 << 20 } })
  await new Promise((resolve) => server.close(resolve))
})

/** Starts a target that answers every connection with these bytes. */
async function targetOf(bytes: string) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes, 'latin1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

it.each([
  'HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 \u0001\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort',
  'no HTTP at all\r\n\r\n',
])('the recording proxy records an answer that begins with %j, and continues', async (bytes) => {
  await using target = await targetOf(bytes)
  await using proxy = await startRecordingProxy(target.url)
  for (const path of ['/one', '/two'])
    await fetch(proxy.url + path)
      .then((answer) => answer.text())
      .catch(() => undefined)
  await until(() => proxy.entries.length === 2)
  expect(proxy.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
    '/one',
    '/two',
  ])
})

it('the recording proxy keeps the storage address when a token answer names no web address', async () => {
  const body = JSON.stringify({ url: 'ftp://elsewhere.test', token: 'x' })
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
  await using target = await targetOf(head + body)
  await using proxy = await startRecordingProxy(target.url)
  const token = await fetch(`${proxy.url}/st/v1/token`, { method: 'POST' })
  expect(await token.json()).toMatchObject({ url: 'ftp://elsewhere.test' })
  const read = await fetch(`${proxy.url}/storage/v1/object/x`)
  expect(read.status).toBe(200)
})

it('the recording proxy answers 504 for a target that never answers, and records the reason', async () => {
  const wallClock = new ManualClock(epochMillis(0))
  await using target = await startHostileServer('no first byte')
  await using proxy = await startRecordingProxy(target.url, 1 << 20, { wallClock })
  const waiting = fetch(`${proxy.url}/silent`)
  await until(() => target.requests() === 1)
  wallClock.advance(300_000)
  const answer = await waiting
  expect(answer.status).toBe(504)
  expect(await answer.json()).toMatchObject({ error: { code: 'target_silent' } })
  await until(() => proxy.entries.length === 1)
  expect(proxy.entries[0]?.response).toMatchObject({
    _error: expect.stringContaining('within 5 min'),
  })
})

it('the recording proxy does not change a token answer that is too long to read', async () => {
  const body = `{"token":"${'x'.repeat(200_000)}"}`
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
  await using target = await targetOf(head + body)
  await using proxy = await startRecordingProxy(target.url)
  const answer = await fetch(`${proxy.url}/st/v1/token`, { method: 'POST' })
  expect((await answer.text()).length).toBe(body.length)
})

it('a replay stops a request whose answer does not end', async () => {
  await using target = await startHostileServer('an endless body')
  const request = { method: 'GET', path: '/x', headers: [], body: undefined }
  const bases = basesOf(target.url)
  const { content, status } = await sendRequest({ bases, http }, 'auth', request, 1 << 20)
  expect({ status, text: content.text }).toEqual({
    status: 0,
    text: `${target.url} sent more than 64 MB.`,
  })
})

it('a replay closes a socket that sends more bytes than an answer may have', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    const piece = Buffer.alloc(1 << 20)
    const send = (): void => {
      if (socket.readyState === socket.OPEN) socket.send(piece, () => setImmediate(send))
    }
    send()
  })
  await new Promise((resolve) => server.on('listening', resolve))
  const { port } = server.address() as AddressInfo
  const request = { method: 'GET', path: '/x', headers: [], body: undefined }
  const socket = await openReplaySocket(`ws://127.0.0.1:${port}`, request, http)
  await socket.closed(20_000)
  expect({ closedWith: socket.closedWith, count: socket.received.length }).toEqual({
    closedWith: 1_006,
    count: 63,
  })
  await new Promise((resolve) => server.close(resolve))
})
