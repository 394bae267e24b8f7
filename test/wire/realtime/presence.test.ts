// Presence through the unmodified client (docs/wire/realtime.md#presence): three clients see one another come, change and go.
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

async function attend(name: string, key: string, vsn: Vsn = '2.0.0') {
  const client = world.client(token, vsn)
  const channel = client.channel(name, { config: { private: true, presence: { key } } })
  const events: string[] = []
  channel
    .on('presence', { event: 'sync' }, () => events.push('sync'))
    .on('presence', { event: 'join' }, ({ key: who }) => events.push(`join ${who}`))
    .on('presence', { event: 'leave' }, ({ key: who }) => events.push(`leave ${who}`))
  expect(await subscribed(channel)).toBe('SUBSCRIBED')
  const keys = (): readonly string[] => Object.keys(channel.presenceState()).sort()
  const metas = (who: string): Json => channel.presenceState()[who]
  return { client, channel, events, keys, metas }
}

const roomOf = (name: string) => `${world.tenant.schemaName}:${name}`

describe('presence', () => {
  it('shows three clients one another, whichever protocol they use', async () => {
    const name = roomOf(world.freshName())
    const ana = await attend(name, 'ana')
    const rui = await attend(name, 'rui', '1.0.0')
    const eva = await attend(name, 'eva')
    expect(await ana.channel.track({ mood: 'calm' })).toBe('ok')
    await rui.channel.track({ mood: 'glad' })
    await eva.channel.track({})
    for (const each of [ana, rui, eva]) await until(() => each.keys().join() === 'ana,eva,rui')
    expect(rui.metas('ana')).toEqual([{ presence_ref: expect.any(String), mood: 'calm' }])
    expect(ana.events).toContain('join rui')

    await rui.channel.track({ mood: 'tired' })
    await until(() => eva.metas('rui')[0].mood === 'tired')
    expect(eva.metas('rui')).toHaveLength(1)

    await eva.channel.untrack()
    await until(() => ana.keys().join() === 'ana,rui')
    await rui.client.disconnect()
    await until(() => ana.keys().join() === 'ana')
    expect(ana.events.filter((event) => event.startsWith('leave'))).toContain('leave eva')
    expect(ana.events.at(-1)).toBe('sync')
  })

  it('sends the present members to a new member', async () => {
    const name = roomOf(world.freshName())
    const ana = await attend(name, 'ana')
    await ana.channel.track({ since: 1 })
    const late = await attend(name, 'late')
    await until(() => late.keys().includes('ana'))
    expect(late.metas('ana')).toMatchObject([{ since: 1 }])
  })

  it('keeps two devices under one key as two metas', async () => {
    const name = roomOf(world.freshName())
    const phone = await attend(name, 'ana')
    const desk = await attend(name, 'ana')
    await phone.channel.track({ device: 'phone' })
    await desk.channel.track({ device: 'desk' })
    await until(() => phone.metas('ana')?.length === 2)
    await phone.channel.unsubscribe()
    await until(() => desk.metas('ana')?.length === 1)
    expect(desk.metas('ana')).toMatchObject([{ device: 'desk' }])
  })

  it('sends nothing when the same payload is tracked again', async () => {
    const name = roomOf(world.freshName())
    const ana = await attend(name, 'ana')
    await ana.channel.track({ mood: 'calm' })
    await until(() => ana.keys().includes('ana'))
    const before = ana.events.length
    expect(await ana.channel.track({ mood: 'calm' })).toBe('ok')
    expect(ana.events).toHaveLength(before)
  })

  it('is enabled when a channel tracks a member without having requested presence', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    const topic = `realtime:${name}`
    await socket.join(name, { presence: { enabled: false } })
    const reply = await socket.ask(topic, 'presence', {
      type: 'presence',
      event: 'track',
      payload: { a: 1 },
    })
    expect(reply).toEqual({ status: 'ok', response: {} })
    const diff = await socket.frame(({ event }) => event === 'presence_diff')
    expect(Object.values(diff.payload.joins)).toEqual([
      { metas: [{ a: 1, phx_ref: expect.any(String) }] },
    ])
    expect(diff.payload.leaves).toEqual({})
    expect(Object.keys(diff.payload.joins)[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('refuses a payload that is not an object', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name)
    const reply = await socket.ask(`realtime:${name}`, 'presence', { event: 'track', payload: [1] })
    expect(reply).toEqual({
      status: 'error',
      response: { reason: 'Presence track payload must be a map' },
    })
  })

  it('ends a channel that calls presence more than five times in 30 seconds', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name)
    for (let call = 0; call < 6; call += 1)
      socket.send(`realtime:${name}`, 'presence', { event: 'track', payload: { call } })
    const system = await socket.frame(({ event }) => event === 'system')
    expect(system.payload).toEqual({
      extension: 'system',
      status: 'error',
      message: 'Client presence rate limit exceeded',
      channel: name,
    })
    await socket.frame(({ event }) => event === 'phx_close')
  })

  it('accepts keys and members with names that are special in JavaScript', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    await socket.join(name, { presence: { enabled: true, key: '__proto__' } })
    await socket.ask(`realtime:${name}`, 'presence', {
      event: 'track',
      payload: { phx_ref: 'forged', constructor: 1 },
    })
    const other = await world.bare(token)
    await other.join(name, { presence: { enabled: true } })
    const state = await other.frame(({ event }) => event === 'presence_state')
    const entries = Object.entries<Json>(state.payload)
    expect(entries.map(([key]) => key)).toEqual(['__proto__'])
    expect(entries[0]?.[1].metas[0].phx_ref).not.toBe('forged')
  })
})
