// Broadcast through the unmodified client, in both protocol versions, and over HTTP (realtime-contract.md §5).
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

/** A subscribed channel and what it hears. */
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
  it('reaches the others and not the sender', async () => {
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

  it('comes back to a sender that wants itself, acknowledged', async () => {
    const name = world.freshName()
    const sender = await listen(name, from, { broadcast: { self: true, ack: true } })
    const sent = await sender.channel.send({ type: 'broadcast', event: 'x', payload: { n: 1 } })
    expect(sent).toBe('ok')
    await until(() => sender.heard.length > 0)
    expect(sender.heard).toMatchObject([{ event: 'x', payload: { n: 1 } }])
  })
})
