// Broadcast through the unmodified client, in both protocol versions, and over HTTP (docs/wire/realtime.md#broadcast).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type RealtimeWorld,
  startRealtimeWorld,
  subscribed,
  type Vsn,
} from '../../support/realtime-world.ts'
import type { Json } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

let world: RealtimeWorld
let token: string
beforeAll(async () => {
  world = await startRealtimeWorld()
  token = await world.userToken()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Subscribes a channel, and collects the frames that it receives. */
async function listen(name: string, vsn: Vsn, config: Json = {}, as = token) {
  const heard: Json[] = []
  const channel = world.client(as, vsn).channel(name, { config })
  channel.on('broadcast', { event: '*' }, (message) => heard.push(message))
  expect(await subscribed(channel)).toBe('SUBSCRIBED')
  return { channel, heard }
}

describe.each<[Vsn, Vsn]>([
  ['1.0.0', '1.0.0'],
  ['1.0.0', '2.0.0'],
  ['2.0.0', '1.0.0'],
  ['2.0.0', '2.0.0'],
])('broadcast from %s to %s', (from, to) => {
  it('reaches the other members and not the sender', async () => {
    const name = world.freshName()
    const receiver = await listen(name, to)
    const sender = await listen(name, from)
    await sender.channel.send({ type: 'broadcast', event: 'typing', payload: { who: 'Ana ☕' } })
    await until(() => receiver.heard.length > 0)
    expect(receiver.heard).toEqual([
      { type: 'broadcast', event: 'typing', payload: { who: 'Ana ☕' } },
    ])
    expect(sender.heard).toEqual([])
  })

  it('is acknowledged and returned to a sender that requests its own messages', async () => {
    const name = world.freshName()
    const sender = await listen(name, from, { broadcast: { self: true, ack: true } })
    const sent = await sender.channel.send({ type: 'broadcast', event: 'x', payload: { n: 1 } })
    expect(sent).toBe('ok')
    await until(() => sender.heard.length > 0)
    expect(sender.heard).toMatchObject([{ event: 'x', payload: { n: 1 } }])
  })
})

describe('binary broadcast', () => {
  const bytes = new Uint8Array([0, 1, 254, 255])

  it('arrives byte for byte, but not at a socket whose protocol has no binary frames', async () => {
    const name = world.freshName()
    const receiver = await listen(name, '2.0.0')
    const old = await listen(name, '1.0.0')
    const sender = await listen(name, '2.0.0')
    await sender.channel.send({ type: 'broadcast', event: 'raw', payload: bytes.buffer })
    await sender.channel.send({ type: 'broadcast', event: 'after', payload: {} })
    await until(() => old.heard.length > 0 && receiver.heard.length > 1)
    expect(new Uint8Array(receiver.heard[0].payload)).toEqual(bytes)
    expect(old.heard).toMatchObject([{ event: 'after' }])
  })

  it('can also be sent by httpSend', async () => {
    const name = world.freshName()
    const receiver = await listen(name, '2.0.0')
    const channel = world.client(token).channel(name)
    expect(await channel.httpSend('raw', bytes)).toEqual({ success: true })
    await until(() => receiver.heard.length > 0)
    expect(new Uint8Array(receiver.heard[0].payload)).toEqual(bytes)
  })
})

describe('POST /api/broadcast', () => {
  const post = (body: unknown, credential?: string, headers: Record<string, string> = {}) =>
    world.at.call('POST', '/realtime/v1/api/broadcast', {
      body,
      headers,
      ...(credential === undefined ? {} : { credential }),
    })

  it('carries the messages that a client sends before it has subscribed', async () => {
    const name = world.freshName()
    const receiver = await listen(name, '2.0.0')
    const channel = world.client(token).channel(name)
    expect(await channel.send({ type: 'broadcast', event: 'early', payload: { a: 1 } })).toBe('ok')
    await until(() => receiver.heard.length > 0)
    expect(receiver.heard).toEqual([{ type: 'broadcast', event: 'early', payload: { a: 1 } }])
  })

  it('sends a batch, in order, and answers 202 without a body', async () => {
    const name = world.freshName()
    const receiver = await listen(name, '1.0.0')
    const messages = [1, 2, 3].map((n) => ({ topic: name, event: 'n', payload: { n } }))
    expect(await post({ messages }, undefined, { apikey: token })).toMatchObject({
      status: 202,
      text: '',
    })
    await until(() => receiver.heard.length === 3)
    expect(receiver.heard.map(({ payload }) => payload.n)).toEqual([1, 2, 3])
  })

  it('drops a private message of another project without an error', async () => {
    const name = `${world.tenant.schemaName}:${world.freshName()}`
    const receiver = await listen(name, '2.0.0', { private: true })
    const foreign = await world.tokenFor(world.neighbour.serviceRoleKey)
    const message = { topic: name, event: 'x', payload: {}, private: true }
    expect((await post({ messages: [message] }, foreign)).status).toBe(202)
    // A public message with the same channel name goes to another room.
    await post({ messages: [{ ...message, private: false }] }, foreign)
    await post({ messages: [{ ...message, event: 'own' }] }, token)
    await until(() => receiver.heard.length > 0)
    expect(receiver.heard).toMatchObject([{ event: 'own' }])
  })

  it('names the invalid field and message', async () => {
    const good = { topic: 'a', event: 'b', payload: {} }
    const answer = await post({ messages: [good, { topic: '', payload: [] }] }, token)
    expect(answer).toMatchObject({
      status: 422,
      body: {
        errors: {
          messages: [
            {},
            { topic: ["can't be blank"], event: ["can't be blank"], payload: ['is invalid'] },
          ],
        },
      },
    })
    expect(await post({}, token)).toMatchObject({
      status: 422,
      body: { errors: { messages: ["can't be blank"] } },
    })
    expect((await post('{', token)).status).toBe(400)
  })

  it('is available at the root of the realtime host', async () => {
    const name = world.freshName()
    const receiver = await listen(name, '2.0.0')
    const answer = await world.at.emulator.fetch(
      new Request('http://realtime.localhost:7357/api/broadcast', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages: [{ topic: name, event: 'x', payload: {} }] }),
      }),
    )
    expect(answer.status).toBe(202)
    await until(() => receiver.heard.length > 0)
  })

  it('refuses a batch with more messages than the limit per second', async () => {
    const messages = Array.from({ length: 101 }, () => ({ topic: 'a', event: 'b', payload: {} }))
    expect(await post({ messages }, token)).toMatchObject({
      status: 429,
      body: { message: 'Too many messages to broadcast, please reduce the batch size' },
    })
  })

  it('refuses callers without a realtime token', async () => {
    for (const credential of [undefined, 'nonsense', world.tenant.serviceRoleKey])
      expect(await post({ messages: [] }, credential)).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized' },
      })
  })
})

describe('POST /api/broadcast/:topic/events/:event', () => {
  it('sends one private message when the client calls httpSend', async () => {
    const name = `${world.tenant.schemaName}:um tópico/${world.freshName()}`
    const config = { private: true }
    const receiver = await listen(name, '2.0.0', config)
    const channel = world.client(token).channel(name, { config })
    expect(await channel.httpSend('olá', { a: 'é' })).toEqual({ success: true })
    await until(() => receiver.heard.length > 0)
    expect(receiver.heard).toEqual([{ type: 'broadcast', event: 'olá', payload: { a: 'é' } }])
  })

  it('refuses a private message of another project, and other media types', async () => {
    const path = `/realtime/v1/api/broadcast/${world.neighbour.schemaName}:x/events/e`
    const options = { credential: token, body: {} }
    expect((await world.at.call('POST', `${path}?private=true`, options)).status).toBe(403)
    const text = { ...options, headers: { 'content-type': 'text/plain' } }
    expect((await world.at.call('POST', path, text)).status).toBe(415)
  })
})
