// Rooms: all projects share public channels, and each project has its own private channels (docs/wire/realtime.md#broadcast).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RealtimeWorld, startRealtimeWorld } from '../../support/realtime-world.ts'
import { until } from '../../support/until.ts'

let world: RealtimeWorld
let token: string
let foreign: string
beforeAll(async () => {
  world = await startRealtimeWorld()
  token = await world.userToken()
  foreign = await world.tokenFor(world.neighbour.anonKey)
})
afterAll(() => world[Symbol.asyncDispose]())

const JOINED = { status: 'ok', response: { postgres_changes: [] } }
const refusedWith = (reason: string) => ({ status: 'error', response: { reason } })
const cast = { type: 'broadcast', event: 'x', payload: {} }

describe('public channel', () => {
  it('is one room for all projects', async () => {
    const name = world.freshName()
    const ours = await world.bare(token, '1.0.0')
    const theirs = await world.bare(foreign, '1.0.0')
    expect(await ours.join(name)).toEqual(JOINED)
    expect(await theirs.join(name)).toEqual(JOINED)
    theirs.send(`realtime:${name}`, 'broadcast', cast)
    const heard = await ours.frame(({ event }) => event === 'broadcast')
    expect(heard).toEqual({
      topic: `realtime:${name}`,
      event: 'broadcast',
      payload: cast,
      ref: null,
    })
  })

  it('is separate from the private channel of the same name', async () => {
    const name = `${world.tenant.schemaName}:${world.freshName()}`
    const inside = await world.bare(token)
    await inside.join(name, { private: true })
    const outside = await world.bare(foreign)
    expect(await outside.join(name)).toEqual(JOINED)
    outside.send(`realtime:${name}`, 'broadcast', cast)
    await outside.ask('phoenix', 'heartbeat')
    await inside.ask('phoenix', 'heartbeat')
    expect(inside.frames.filter(({ event }) => event === 'broadcast')).toEqual([])
  })
})

describe('private channel', () => {
  it.each([
    ['a user', () => world.userToken()],
    ['an anonymous visitor', () => world.tokenFor(world.tenant.anonKey)],
    ['the server side', () => world.tokenFor(world.tenant.serviceRoleKey)],
  ])('admits %s of its project', async (_who, mint) => {
    const socket = await world.bare(await mint())
    const name = `${world.tenant.schemaName}:${world.freshName()}`
    expect(await socket.join(name, { private: 'true' })).toEqual(JOINED)
  })

  it.each([
    ['no project', (schema: string) => `room-${schema}`],
    ['another project', () => `${world.neighbour.schemaName}:room`],
    ['a project whose name only begins alike', (schema: string) => `${schema}x:room`],
    ['nothing behind the project', (schema: string) => `${schema}:`],
    ['the project in capitals', (schema: string) => `${schema.toUpperCase()}:room`],
  ])('refuses a name of %s', async (_what, nameOf) => {
    const name = nameOf(world.tenant.schemaName)
    const socket = await world.bare(token)
    expect(await socket.join(name, { private: true })).toEqual(
      refusedWith(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`,
      ),
    )
    expect(await socket.ask(`realtime:${name}`, 'broadcast', cast)).toEqual(
      refusedWith('unmatched topic'),
    )
  })

  it('is authorised by the token of the join, not by the token of the socket', async () => {
    const name = `${world.tenant.schemaName}:${world.freshName()}`
    const socket = await world.bare(foreign)
    expect(await socket.join(name, { private: true }, token)).toEqual(JOINED)
    expect(await socket.join(name, { private: true }, foreign)).toMatchObject({ status: 'error' })
  })
})

describe('join', () => {
  it('lists the bindings in the requested order, each with an id', async () => {
    const socket = await world.bare(token)
    const postgres_changes = [
      { event: 'INSERT', schema: world.tenant.schemaName, table: 'nothing' },
      { event: '*', schema: 'proj_OTHER', filter: 'id=eq.1' },
    ]
    const reply = await socket.join(world.freshName(), { postgres_changes })
    expect(reply.response.postgres_changes).toEqual(
      postgres_changes.map((each) => ({ ...each, id: expect.any(Number) })),
    )
  })

  it('sends presence_state only if presence is on', async () => {
    const socket = await world.bare(token)
    await socket.join('quiet', { presence: { enabled: false } })
    await socket.join('lively', { presence: { enabled: true } })
    await socket.frame(({ event }) => event === 'presence_state')
    expect(
      socket.frames.filter(({ event }) => event === 'presence_state').map(({ topic }) => topic),
    ).toEqual(['realtime:lively'])
  })

  it.each([
    ['realtime:', {}, 'TopicNameRequired: You must provide a topic name'],
    ['other:room', {}, 'unmatched topic'],
    [
      'realtime:room',
      { config: { broadcast: { replay: { since: 1 } } } },
      'UnableToReplayMessages: Replay is not allowed for public channels',
    ],
    [
      'realtime:room',
      { access_token: 'x.y' },
      'MalformedJWT: The token provided is not a valid JWT',
    ],
  ])('of %s with %j is refused: %s', async (topic, payload, reason) => {
    const socket = await world.bare(token)
    expect(await socket.ask(topic, 'phx_join', payload)).toEqual(refusedWith(reason))
  })

  it('refuses a project key, which has another signer', async () => {
    const socket = await world.bare(token)
    expect(await socket.join(world.freshName(), {}, world.tenant.anonKey)).toEqual(
      refusedWith('JwtSignatureError: Failed to validate JWT signature'),
    )
  })

  it('again on the same socket closes the earlier join and keeps the new join', async () => {
    const socket = await world.bare(token)
    const topic = `realtime:${world.freshName()}`
    await socket.ask(topic, 'phx_join', {}, '1')
    expect(await socket.ask(topic, 'phx_join', {}, '9')).toEqual(JOINED)
    const closed = await socket.frame(({ event }) => event === 'phx_close')
    expect(closed).toEqual({ joinRef: '1', ref: '1', topic, event: 'phx_close', payload: {} })
    await socket.ask(topic, 'presence', {})
    expect(socket.frames.filter(({ event }) => event === 'phx_close')).toHaveLength(1)
  })

  it('is undone by leaving', async () => {
    const name = world.freshName()
    const socket = await world.bare(token)
    const other = await world.bare(token)
    await socket.join(name)
    await other.join(name)
    expect(await socket.ask(`realtime:${name}`, 'phx_leave')).toEqual({
      status: 'ok',
      response: {},
    })
    await socket.frame(({ event }) => event === 'phx_close')
    other.send(`realtime:${name}`, 'broadcast', cast)
    await other.ask('phoenix', 'heartbeat')
    await until(() => socket.frames.length > 0)
    expect(await socket.ask(`realtime:${name}`, 'presence')).toEqual(refusedWith('unmatched topic'))
    expect(socket.frames.filter(({ event }) => event === 'broadcast')).toEqual([])
  })
})
