// Hostile clients: malformed, oversized and binary garbage, floods, forged topics, a client that does not read. The emulator
// continues to serve other clients (docs/wire/realtime.md#socket).
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RealtimeWorld, startRealtimeWorld } from '../../support/realtime-world.ts'
import { until } from '../../support/until.ts'

let world: RealtimeWorld
let token: string
beforeAll(async () => {
  world = await startRealtimeWorld()
  token = await world.userToken()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(async () => {
  const witness = await world.bare(token)
  expect(await witness.join(world.freshName())).toMatchObject({ status: 'ok' })
  witness.disconnect()
})

const ALIVE = { status: 'ok', response: {} }
const cast = (payload: unknown) => ({ type: 'broadcast', event: 'x', payload })
const UNUSED_TOPIC = 'realtime:unused'

describe('a malformed frame is dropped and the connection stays open', () => {
  it.each([
    '',
    'null',
    '{',
    '[]',
    '[1,2,3,4,5]',
    '["1","1","realtime:a"]',
    '["1","1","realtime:a","broadcast",7]',
    '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}',
    '['.repeat(100_000),
    `["1","1","realtime:a","broadcast",${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]`,
  ])('text %#', async (text) => {
    const socket = await world.bare(token)
    socket.ws.send(text)
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual(ALIVE)
    expect(socket.frames).toHaveLength(1)
  })

  it.each([
    [],
    [0],
    [3],
    [3, 255, 255, 255, 255, 255, 1],
    [3, 0, 0, 0, 0, 0, 9],
    [4, 0, 0, 0, 0],
    [9, 9, 9, 9, 9, 9, 9, 9, 9],
    Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256),
  ])('binary %#', async (...bytes) => {
    const socket = await world.bare(token)
    socket.ws.send(Buffer.from(bytes))
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual(ALIVE)
    expect(socket.frames).toHaveLength(1)
  })

  it('binary on a protocol without binary frames', async () => {
    const socket = await world.bare(token, '1.0.0')
    socket.ws.send(Buffer.from([3, 0, 0, 0, 0, 0, 1]))
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual(ALIVE)
  })

  it('with an invalid JSON payload, before it reaches other clients', async () => {
    const name = world.freshName()
    const topic = `realtime:${name}`
    const victim = await world.bare(token)
    await victim.join(name)
    const sender = await world.bare(token)
    await sender.join(name)
    const header = [3, 0, 0, topic.length, 1, 0, 1]
    sender.ws.send(Buffer.concat([Buffer.from(header), Buffer.from(`${topic}x{bad`)]))
    sender.ws.send(Buffer.concat([Buffer.from(header), Buffer.from(`${topic}x{}`)]))
    await until(() => victim.binary.length > 0)
    expect(victim.binary).toHaveLength(1)
  })
})

describe('sizes', () => {
  it('a frame above five million bytes ends its socket', async () => {
    const socket = await world.bare(token)
    socket.ws.send('x'.repeat(5_000_001))
    expect(await socket.ended).toMatchObject({ code: 1009 })
  })

  it('a payload above three megabytes is refused if an answer is requested', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name, { broadcast: { ack: true, self: true } })
    const large = await socket.ask(`realtime:${name}`, 'broadcast', cast('x'.repeat(3_000_500)))
    expect(large.status).toBe('error')
    const fits = await socket.ask(`realtime:${name}`, 'broadcast', cast('x'.repeat(2_999_000)))
    expect(fits.status).toBe('ok')
  })

  it('a track with a payload above three megabytes ends the channel', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name)
    const payload = { event: 'track', payload: { a: 'x'.repeat(3_000_501) } }
    socket.send(`realtime:${name}`, 'presence', payload)
    const system = await socket.frame(({ event }) => event === 'system')
    expect(system.payload.message).toBe('Track message size exceeded')
  })
})

describe('floods', () => {
  it('a socket can join a hundred channels, and no more', async () => {
    const socket = await world.bare(token)
    const room = world.freshName()
    const replies = await Promise.all(
      Array.from({ length: 101 }, (_, at) => socket.join(`${room}_${at}`)),
    )
    expect(replies.filter(({ status }) => status === 'ok')).toHaveLength(100)
    expect(replies.at(-1)).toEqual({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    })
  })

  it('a thousand joins at once end the socket', async () => {
    const socket = await world.bare(token)
    const room = world.freshName()
    for (let at = 0; at < 1_000; at += 1) socket.send(`realtime:${room}_${at}`, 'phx_join', {})
    expect(await socket.ended).toMatchObject({ code: 1008, reason: 'Too many joins per second' })
    expect(socket.frames.at(-1)?.payload).toEqual({
      status: 'error',
      response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' },
    })
  })

  it('a thousand messages at once end their channel', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name)
    for (let at = 0; at < 1_000; at += 1) socket.send(`realtime:${name}`, 'broadcast', cast({ at }))
    const system = await socket.frame(({ event }) => event === 'system')
    expect(system.payload).toMatchObject({ message: 'Too many messages per second', channel: name })
    await socket.frame(({ event }) => event === 'phx_close')
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual(ALIVE)
  })
})

describe('connections', () => {
  it('may be reset in the middle of a handshake', async () => {
    const { host, hostname, port } = new URL(world.at.url)
    for (const apikey of ['nonsense', token]) {
      const request = [
        `GET /realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0 HTTP/1.1`,
        `host: ${host}`,
        'connection: Upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
        '',
        '',
      ].join('\r\n')
      for (let at = 0; at < 20; at += 1)
        await new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname)
          socket.on('close', () => resolve())
          socket.write(request, () => setImmediate(() => socket.resetAndDestroy()))
        })
    }
  })

  it('are closed when they send only malformed frames', async () => {
    const socket = await world.bare(token)
    for (let at = 0; at < 600; at += 1) socket.ws.send('{')
    expect(await socket.ended).toMatchObject({ code: 1008, reason: 'Too many malformed frames' })
  })

  it('are closed when they violate the WebSocket framing', async () => {
    const socket = await deafSubscriber(world.freshName())
    socket.write(Buffer.from([0xff, 0xff, 0xff]))
    await hungUp(socket)
  })
})

describe('forged topics', () => {
  it('reach no room that was not joined', async () => {
    const name = world.freshName()
    const victim = await world.bare(token)
    await victim.join(name)
    const forger = await world.bare(token)
    await forger.join('elsewhere')
    for (const topic of [`realtime:${name}`, UNUSED_TOPIC, 'realtime:', '__proto__', ''])
      expect(await forger.ask(topic, 'broadcast', cast({}))).toEqual({
        status: 'error',
        response: { reason: 'unmatched topic' },
      })
    for (const event of ['phx_reply', 'phx_close', 'system', 'postgres_changes', 'presence_state'])
      forger.send('realtime:elsewhere', event, { forged: true })
    await forger.ask('phoenix', 'heartbeat')
    await victim.ask('phoenix', 'heartbeat')
    expect(victim.frames.filter(({ ref }) => ref === null)).toEqual([])
  })

  it('can be left although they were never joined', async () => {
    const socket = await world.bare(token)
    expect(await socket.ask(UNUSED_TOPIC, 'phx_leave')).toEqual(ALIVE)
  })
})

describe('a client that stops reading or disappears', () => {
  it('is closed with a reason when too much data is queued, and others stay connected', async () => {
    const name = world.freshName()
    const deaf = await deafSubscriber(name)
    const sender = await world.bare(token)
    const hearer = await world.bare(token)
    await sender.join(name, { broadcast: { ack: true } })
    await hearer.join(name)
    const before = process.memoryUsage().rss
    for (let at = 0; at < 40; at += 1)
      expect(
        await sender.ask(`realtime:${name}`, 'broadcast', cast('x'.repeat(1_000_000))),
      ).toEqual(ALIVE)
    await until(() => hearer.frames.filter(({ event }) => event === 'broadcast').length === 40)
    const grown = (process.memoryUsage().rss - before) / 1e6
    // The forty messages of the reading client take 40 MB in this process. The client that does not read may take up to its
    // limit.
    expect(grown).toBeLessThan(200)
    expect(world.seen.filter(({ kind }) => kind === 'realtimeSocketClosed').at(-1)).toMatchObject({
      reason: expect.stringMatching(/^reads too slowly: \d+ bytes waited$/),
    })
    await hungUp(deaf)
  })

  it('leaves its channels when its connection ends without a close', async () => {
    const name = world.freshName()
    const gone = await world.bare(token)
    await gone.join(name, { presence: { enabled: true, key: 'gone' } })
    await gone.ask(`realtime:${name}`, 'presence', { event: 'track', payload: {} })
    const witness = await world.bare(token)
    await witness.join(name, { presence: { enabled: true } })
    gone.ws.terminate()
    const diff = await witness.frame(({ event }) => event === 'presence_diff')
    expect(Object.keys(diff.payload.leaves)).toEqual(['gone'])
  })
})

/** Opens a subscriber over a plain socket that reads only the reply to its join. */
async function deafSubscriber(name: string): Promise<Socket> {
  const { host, hostname, port } = new URL(world.at.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const join = JSON.stringify(['1', '1', `realtime:${name}`, 'phx_join', {}])
  const mask = Buffer.alloc(4)
  socket.write(
    [
      `GET /realtime/v1/websocket?apikey=${token}&vsn=2.0.0 HTTP/1.1`,
      `host: ${host}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n'),
  )
  await once(socket, '101')
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | join.length]), mask, Buffer.from(join)]))
  await once(socket, '"status":"ok"')
  socket.pause()
  return socket
}

function once(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    const onBytes = (bytes: Buffer): void => {
      if (!bytes.includes(text)) return
      socket.off('data', onBytes)
      resolve()
    }
    socket.on('data', onBytes)
  })
}

/** Reads the rest until the server has closed the connection. */
function hungUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('close', () => resolve())
    socket.resume()
  })
}
