// The recording proxy between a plain client and a plain server, so that tests can compare every byte.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { until } from '../../support/until.ts'

interface Target extends AsyncDisposable {
  readonly url: string
}

async function startTarget(
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  sockets?: WebSocketServer,
): Promise<Target> {
  const server = createServer(serve)
  server.on('upgrade', (incoming, socket, head) =>
    sockets?.handleUpgrade(incoming, socket, head, (peer) =>
      sockets.emit('connection', peer, incoming),
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const MEGABYTE = 1 << 20
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('the recording proxy', () => {
  it('passes method, path, headers and body on unchanged, and returns the answer', async () => {
    let seen: unknown
    await using target = await startTarget((incoming, outgoing) => {
      seen = [incoming.method, incoming.url, incoming.rawHeaders]
      outgoing.sendDate = false
      outgoing.writeHead(299, 'Odd', ['X-Twice', 'a', 'x-Twice', 'b', 'Content-Length', '4'])
      incoming.pipe(outgoing)
    })
    await using proxy = await startRecordingProxy(target.url)
    const { host } = new URL(target.url)
    const answer = await new Promise<IncomingMessage>((resolve) => {
      const headers = ['Host', 'elsewhere', 'X-Mixed-CASE', '1', 'Content-Length', '4']
      request(`${proxy.url}/a%2Fb/../c?x=%20+&y`, {
        method: 'PUT',
        path: '/a%2Fb/../c?x=%20+&y',
        headers,
      })
        .on('response', resolve)
        .end('body')
    })
    const chunks = await answer.toArray()
    expect(seen).toEqual([
      'PUT',
      '/a%2Fb/../c?x=%20+&y',
      ['Host', host, 'X-Mixed-CASE', '1', 'Content-Length', '4', ...connectionOf(seen)],
    ])
    expect([answer.statusCode, answer.statusMessage, Buffer.concat(chunks).toString()]).toEqual([
      299,
      'Odd',
      'body',
    ])
    expect(answer.rawHeaders.slice(0, 6)).toEqual([
      'X-Twice',
      'a',
      'x-Twice',
      'b',
      'Content-Length',
      '4',
    ])
    expect(proxy.entries[0]).toMatchObject({
      request: { method: 'PUT', url: `${target.url}/a%2Fb/../c?x=%20+&y`, bodySize: 4 },
      response: { status: 299, statusText: 'Odd', content: { text: 'body', size: 4 } },
      _plane: 'data',
      _order: 0,
    })
  })

  it('passes on each part of an answer before the next part exists', async () => {
    let next = (): void => {}
    await using target = await startTarget((_, outgoing) => {
      outgoing.write('first')
      next = () => outgoing.end('second')
    })
    await using proxy = await startRecordingProxy(target.url)
    const answer = await fetch(`${proxy.url}/slow`)
    const reader = answer.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
    next()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second')
  })

  it('records the whole body of a request that was answered before the body arrived', async () => {
    await using target = await startTarget((_, outgoing) => outgoing.writeHead(409).end('taken'))
    await using proxy = await startRecordingProxy(target.url)
    const sending = request(`${proxy.url}/early`, { method: 'POST' })
    sending.write('first ')
    const answer = await new Promise<IncomingMessage>((resolve) => sending.on('response', resolve))
    await answer.toArray()
    sending.end('second')
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]?.request).toMatchObject({
      bodySize: 12,
      postData: { text: 'first second' },
    })
  })

  it('reads an upload of 50 MB only as fast as the target, and records the start, size and hash of the body', async () => {
    const received = createHash('sha256')
    let read = (): void => {}
    await using target = await startTarget((incoming, outgoing) => {
      read = () => {
        incoming.on('data', (chunk) => received.update(chunk))
        incoming.on('end', () => outgoing.end())
      }
    })
    await using proxy = await startRecordingProxy(target.url, 1_000)
    const part = Buffer.alloc(MEGABYTE, 'x')
    let taken = 0
    async function* parts(): AsyncGenerator<Buffer> {
      for (; taken < 50; taken += 1) yield part
    }
    const init = { method: 'POST', body: parts(), duplex: 'half' } as unknown as RequestInit
    const answer = fetch(`${proxy.url}/storage/v1/object/a/b`, init)
    let polls = 0
    let last = -1
    await until(() => {
      polls = taken === last && taken > 0 ? polls + 1 : 0
      last = taken
      return polls > 40
    })
    expect(taken).toBeLessThan(25)
    read()
    await answer
    const sent = received.digest('hex')
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]).toMatchObject({
      _plane: 'storage',
      request: {
        bodySize: 50 * MEGABYTE,
        postData: { _kept: 1_000, _sha256: sent, _size: 50 * MEGABYTE },
      },
    })
    expect(proxy.entries[0]?.request.postData?.comment).toBe(
      'The recording has the first 1000 of 52428800 bytes.',
    )
  })

  it('records a compressed answer as text, and passes it on compressed', async () => {
    const zipped = gzipSync('{"a":1}')
    await using target = await startTarget((_, outgoing) => {
      outgoing.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
      outgoing.end(zipped)
    })
    await using proxy = await startRecordingProxy(target.url)
    const answer = await fetch(`${proxy.url}/rows`)
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([
      'gzip',
      '{"a":1}',
    ])
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]?.response.content.text).toBe('{"a":1}')
  })

  it.each([
    [false, { data: '', _size: 3, _sha256: sha256Of(Buffer.from([0, 1, 255])) }],
    [true, { data: 'AAH/' }],
  ])(
    'records the frames of a socket and which side closed it (keeps opaque bytes: %s)',
    async (keepsOpaque, bytes) => {
      const sockets = new WebSocketServer({
        noServer: true,
        perMessageDeflate: { threshold: 0 },
      })
      sockets.on('connection', (peer) => {
        peer.on('message', (bytes, isBinary) => peer.send(bytes, { binary: isBinary }))
      })
      await using target = await startTarget(() => {}, sockets)
      await using proxy = await startRecordingProxy(target.url, MEGABYTE, { keepsOpaque })
      const echoed: string[] = []
      const peer = new WebSocket(`${proxy.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1`)
      peer.on('message', (bytes) => echoed.push(bytes.toString()))
      await new Promise((resolve) => peer.once('open', resolve))
      peer.send('hello hello')
      peer.send('hello again')
      peer.send(Buffer.from([0, 1, 255]))
      await until(() => echoed.length === 3)
      peer.close(4_000, 'enough')
      await until(() => proxy.entries.length === 1)
      const [entry] = proxy.entries
      expect(entry).toMatchObject({
        _plane: 'realtime',
        _resourceType: 'websocket',
        _webSocketClose: { by: 'client', code: 4_000, reason: 'enough' },
        response: { status: 101 },
      })
      expect(entry?.request.url).toBe(
        `${target.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1`,
      )
      expect(entry?._webSocketMessages?.filter(({ type }) => type === 'receive')).toMatchObject([
        { opcode: 1, data: 'hello hello' },
        { opcode: 1, data: 'hello again' },
        { opcode: 2, ...bytes },
      ])
      expect(entry?._webSocketMessages).toHaveLength(6)
    },
  )

  it('leaves out a body that cannot be searched for secrets, and keeps the size and hash', async () => {
    await using target = await startTarget((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      outgoing.end(gzipSync('{"a":1'))
    })
    for (const keepsOpaque of [false, true]) {
      await using proxy = await startRecordingProxy(target.url, MEGABYTE, { keepsOpaque })
      await (await fetch(`${proxy.url}/rows`)).arrayBuffer()
      await until(() => proxy.entries.length === 1)
      const { comment, ...content } = proxy.entries[0]?.response.content ?? {}
      const left = { size: 6, _kept: 0, _sha256: sha256Of(Buffer.from('{"a":1')) }
      expect(content).toEqual({
        mimeType: 'application/json',
        ...(keepsOpaque ? { size: 6, text: '{"a":1' } : left),
      })
      expect(comment?.startsWith('Left out') ?? false).toBe(!keepsOpaque)
    }
  })

  it('passes on the refusal of a socket', async () => {
    const sockets = new WebSocketServer({ noServer: true, verifyClient: () => false })
    await using target = await startTarget(() => {}, sockets)
    await using proxy = await startRecordingProxy(target.url)
    const peer = new WebSocket(`${proxy.url.replace('http', 'ws')}/realtime/v1/websocket`)
    const failed = await new Promise((resolve) => peer.once('error', resolve))
    expect(String(failed)).toContain('401')
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]?.response).toMatchObject({ status: 401 })
  })

  it('shows its own address in token answers and locations, and sends storage requests to the target’s address', async () => {
    await using storage = await startTarget((_, outgoing) => outgoing.end('stored'))
    await using target = await startTarget((incoming, outgoing) => {
      if (incoming.url === '/auth/v1/verify')
        outgoing.writeHead(302, { location: `http://${incoming.headers.host}/auth/v1/next` })
      outgoing.end(JSON.stringify({ token: 'secret-token-of-storage', url: `${storage.url}/base` }))
    })
    await using proxy = await startRecordingProxy(target.url)
    const exchange = await fetch(`${proxy.url}/st/v1/token`, { method: 'POST' })
    expect(await exchange.json()).toEqual({
      token: 'secret-token-of-storage',
      url: `${proxy.url}/storage/v1`,
    })
    expect(await (await fetch(`${proxy.url}/storage/v1/object/x`)).text()).toBe('stored')
    const moved = await fetch(`${proxy.url}/auth/v1/verify`, { redirect: 'manual' })
    expect(moved.headers.get('location')).toBe(`${proxy.url}/auth/v1/next`)
    await until(() => proxy.entries.length === 3)
    expect(proxy.entries.map(({ request: { url } }) => url)).toEqual([
      `${target.url}/st/v1/token`,
      `${storage.url}/base/object/x`,
      `${target.url}/auth/v1/verify`,
    ])
    expect(proxy.entries[0]?.response.content.text).toBe(
      `{"token":"masked~secret~1","url":"${storage.url}/base"}`,
    )
  })

  it('answers 502 and records the reason when the target cannot be reached', async () => {
    const target = await startTarget(() => {})
    await target[Symbol.asyncDispose]()
    await using proxy = await startRecordingProxy(target.url)
    const answer = await fetch(`${proxy.url}/rows`)
    expect(answer.status).toBe(502)
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]?.response).toMatchObject({
      status: 0,
      _error: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('closes the client’s connection when the target’s connection breaks, and records the received part', async () => {
    await using target = await startTarget((_, outgoing) => {
      outgoing.write('half')
      setTimeout(() => outgoing.destroy(), 20)
    })
    await using proxy = await startRecordingProxy(target.url)
    const answer = await fetch(`${proxy.url}/rows`)
    await expect(answer.text()).rejects.toThrow()
    await until(() => proxy.entries.length === 1)
    expect(proxy.entries[0]?.response).toMatchObject({ status: 200, content: { text: 'half' } })
  })
})

// Returns the headers after the first three. Node.js adds `Connection` to a request without this header.
function connectionOf(seen: unknown): readonly string[] {
  const [, , raw] = seen as [string, string, string[]]
  return raw.slice(6)
}
