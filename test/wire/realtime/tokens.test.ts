// Tokens of joined channels: refresh, sign-in and sign-out, expiry by the platform clock, revoked keys and removed projects
// (docs/wire/realtime.md#tokens).
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  type BareSocket,
  OTHER_USER,
  type RealtimeWorld,
  startRealtimeWorld,
  subscribed,
} from '../../support/realtime-world.ts'
import { createGroup, provisionTenant } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

let world: RealtimeWorld
beforeAll(async () => {
  world = await startRealtimeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const HOUR = 3_600
const roomOf = (name: string) => `${world.tenant.schemaName}:${name}`

/** Waits until the server ends the channel. Returns the server's message. */
async function endOf(socket: BareSocket): Promise<string> {
  const system = await socket.frame(({ event }) => event === 'system')
  expect(system.payload).toMatchObject({ extension: 'system', status: 'error' })
  const closed = await socket.frame(({ event }) => event === 'phx_close')
  expect(closed.topic).toBe(system.topic)
  return system.payload.message
}

describe('expiry', () => {
  it('ends the channel when its token expires, and leaves the socket open', async () => {
    const socket = await world.bare(await world.userToken())
    const name = roomOf(world.freshName())
    await socket.join(name, { private: true })
    await world.advance(HOUR - 60)
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual({ status: 'ok', response: {} })
    expect(socket.frames.filter(({ event }) => event === 'phx_close')).toEqual([])
    await world.advance(60)
    expect(await endOf(socket)).toMatch(/^Token has expired \d+ seconds ago$/)
    expect(await socket.ask('phoenix', 'heartbeat')).toEqual({ status: 'ok', response: {} })
    expect(await socket.join(name, { private: true })).toMatchObject({
      response: {
        reason: expect.stringMatching(/^InvalidJWTToken: Token has expired \d+ seconds/),
      },
    })
    expect(await socket.join(name, { private: true }, await world.userToken())).toMatchObject({
      status: 'ok',
    })
  })

  it('is postponed by a newer token', async () => {
    const socket = await world.bare(await world.userToken())
    const name = roomOf(world.freshName())
    await socket.join(name, { private: true })
    await world.advance(HOUR / 2)
    socket.send(`realtime:${name}`, 'access_token', { access_token: await world.userToken() })
    await socket.ask('phoenix', 'heartbeat')
    await world.advance(HOUR / 2 + 60)
    expect(await socket.ask(`realtime:${name}`, 'presence')).toEqual({ status: 'ok', response: {} })
    await world.advance(HOUR / 2)
    expect(await endOf(socket)).toMatch(/^Token has expired/)
  })

  it('occurs at the exact second when a frozen clock is advanced', async () => {
    const { clock } = world.at.emulator
    clock.freeze()
    const socket = await world.bare(await world.userToken())
    await socket.join(world.freshName())
    clock.advance((HOUR - 1) * 1_000)
    await socket.ask('phoenix', 'heartbeat')
    expect(socket.frames.filter(({ event }) => event === 'system')).toEqual([])
    clock.advance(1_000)
    expect(await endOf(socket)).toMatch(/^Token has expired 0 seconds ago/)
    clock.resume()
  })
})

describe('the client’s setAuth', () => {
  it('changes from visitor to user and back without leaving the channel', async () => {
    const visitor = await world.tokenFor(world.tenant.anonKey)
    const name = roomOf(world.freshName())
    const client = world.client(visitor)
    const channel = client.channel(name, {
      config: { private: true, broadcast: { self: true, ack: true } },
    })
    const heard: string[] = []
    const closed: string[] = []
    channel.on('broadcast', { event: '*' }, ({ event }) => heard.push(event))
    channel.on('system', {}, (message) => closed.push(message.message))
    expect(await subscribed(channel)).toBe('SUBSCRIBED')
    await client.setAuth(await world.userToken())
    await channel.send({ type: 'broadcast', event: 'as user', payload: {} })
    await client.setAuth(visitor)
    await channel.send({ type: 'broadcast', event: 'as visitor', payload: {} })
    await until(() => heard.length === 2)
    expect(heard).toEqual(['as user', 'as visitor'])
    expect(closed).toEqual([])
  })
})

describe('access_token', () => {
  const replaced = async (token: unknown) => {
    const socket = await world.bare(await world.userToken())
    const name = roomOf(world.freshName())
    await socket.join(name, { private: true })
    socket.send(`realtime:${name}`, 'access_token', { access_token: token })
    return { socket, name }
  }

  it.each([null, 'sb_publishable_x', 7, undefined])('ignores %j', async (token) => {
    const { socket, name } = await replaced(token)
    expect(await socket.ask(`realtime:${name}`, 'presence')).toMatchObject({ status: 'ok' })
  })

  it('gets no reply', async () => {
    const { socket } = await replaced(await world.userToken(OTHER_USER))
    await socket.ask('phoenix', 'heartbeat')
    expect(socket.frames.filter(({ event }) => event === 'phx_reply')).toHaveLength(2)
  })

  it('ends the channel when the message contains no valid token', async () => {
    const { socket } = await replaced('nonsense')
    expect(await endOf(socket)).toBe('The token provided is not a valid JWT')
  })

  it('ends a private channel when the token belongs to another project', async () => {
    const { socket, name } = await replaced(await world.tokenFor(world.neighbour.anonKey))
    expect(await endOf(socket)).toBe(
      `You do not have permissions to read from this Channel topic: ${name}`,
    )
  })
})

describe('a project that is removed or gets new keys', () => {
  it('closes its own sockets at once, and no socket of another project', async () => {
    const group = await createGroup(world.at, 'leaving')
    const leaving = await provisionTenant(world.at, group, 'leaver')
    const theirs = await world.bare(await world.tokenFor(leaving.anonKey))
    const ours = await world.bare(await world.userToken())
    await theirs.join('lobby')
    await ours.join('lobby')
    await world.at.call('DELETE', `/groups/v1/${group.id}/tenants/leaver`, {
      credential: group.key,
    })
    expect(await theirs.ended).toMatchObject({ code: 1008 })
    expect(await endOf(theirs)).toBe('Realtime disabled for this tenant')
    expect(await ours.ask('realtime:lobby', 'presence')).toMatchObject({ status: 'ok' })
  })

  it('closes the sockets that were opened with its old keys', async () => {
    const project = await world.at.call('POST', '/platform/v1/projects', {
      credential: world.at.session,
      body: { name: 'keyed', slug: 'keyed' },
    })
    const socket = await world.bare(await world.tokenFor(project.body.anon_key))
    await socket.join('lobby2')
    const path = `/platform/v1/projects/${project.body.id}/keys/regenerate`
    await world.at.call('POST', path, { credential: world.at.session })
    expect(await socket.ended).toMatchObject({ code: 1008 })
  })
})

describe('a user who is deleted or banned', () => {
  async function joinedUser() {
    const signedUp = await world.at.call('POST', '/auth/v1/signup', {
      headers: { apikey: world.tenant.anonKey },
      body: { email: `${world.freshName()}@example.com`, password: 'correct horse battery' },
    })
    const socket = await world.bare(await world.tokenFor(signedUp.body.data_plane_token))
    expect(await socket.join(roomOf('staff'), { private: true })).toMatchObject({ status: 'ok' })
    return { socket, path: `/_emulator/v1/projects/acme/users/${signedUp.body.user.id}` }
  }

  it('is disconnected at the next check of the token when deleted', async () => {
    const { socket, path } = await joinedUser()
    await world.at.call('DELETE', path)
    await world.advance(301)
    expect(await endOf(socket)).toBe('The user behind this token was deleted or banned')
    expect(await socket.join('lobby3')).toEqual({
      status: 'error',
      response: { reason: 'Unauthorized: The user behind this token was deleted or banned' },
    })
  })

  it('cannot join with a new token while banned', async () => {
    const { socket, path } = await joinedUser()
    await world.at.call('PATCH', path, { body: { banned_until: '2999-01-01T00:00:00Z' } })
    expect(await socket.join('lobby4')).toMatchObject({ status: 'error' })
  })
})

describe('reconnecting', () => {
  it('rejoins the channels of a client whose socket was cut', async () => {
    const opened: WebSocket[] = []
    const transport = class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given)
        opened.push(this)
      }
    }
    const client = new RealtimeClient(world.socketUrl, {
      params: { apikey: await world.userToken() },
      transport: transport as unknown as typeof globalThis.WebSocket,
    })
    const name = world.freshName()
    const channel = client.channel(name, { config: { broadcast: { self: true, ack: true } } })
    const heard: string[] = []
    const states: string[] = []
    channel.on('broadcast', { event: '*' }, ({ event }) => heard.push(event))
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => {
        states.push(status)
        if (status === 'SUBSCRIBED') resolve()
      })
    })
    opened[0]?.terminate()
    await until(() => states.filter((state) => state === 'SUBSCRIBED').length === 2, 20_000)
    await channel.send({ type: 'broadcast', event: 'again', payload: {} })
    await until(() => heard.length > 0)
    expect(heard).toEqual(['again'])
    await client.disconnect()
  })
})
