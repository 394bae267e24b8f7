// Realtime faults with the unmodified client: sockets that close, delay or repeat messages. Also refused handshakes and joins.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import {
  type RealtimeWorld,
  startRealtimeWorld,
  subscribed,
} from '../../../support/realtime-world.ts'
import { until } from '../../../support/until.ts'

let world: RealtimeWorld
beforeAll(async () => {
  world = await startRealtimeWorld()
})
afterEach(() => world.at.call('DELETE', '/_emulator/v1/faults'))
afterAll(() => world[Symbol.asyncDispose]())

async function arm(effect: object, order: object = {}): Promise<string> {
  const armed = await world.at.call('POST', '/_emulator/v1/faults', { body: { effect, ...order } })
  expect(armed.status, armed.text).toBe(201)
  return armed.body.id
}

/** Subscribes a channel of the unmodified client that receives its own broadcasts. */
async function echo() {
  const name = `${world.tenant.schemaName}:${world.freshName()}`
  const client = world.client(await world.userToken())
  const heard: { readonly text: string; readonly at: number }[] = []
  const channel = client.channel(name, { config: { private: true, broadcast: { self: true } } })
  channel.on('broadcast', { event: 'say' }, ({ payload }) =>
    heard.push({ text: payload['text'], at: performance.now() }),
  )
  expect(await subscribed(channel)).toBe('SUBSCRIBED')
  const say = (text: string) => channel.send({ type: 'broadcast', event: 'say', payload: { text } })
  return { client, channel, heard, say, texts: () => heard.map(({ text }) => text) }
}

describe('a message', () => {
  it('is delivered twice when a fault duplicates it', async () => {
    const { heard, say, texts } = await echo()
    await arm({ kind: 'realtime_duplicate' }, { count: 1 })
    await say('one')
    await say('two')
    await until(() => heard.length >= 3)
    expect(texts()).toEqual(['one', 'one', 'two'])
  })

  it('arrives late but in order during a delay, and without delay when the fault has ended', async () => {
    const { heard, say, texts } = await echo()
    await arm({ kind: 'realtime_delay', ms: 150 }, { count: 1 })
    const before = performance.now()
    await say('late')
    await say('behind it')
    await until(() => heard.length >= 2)
    expect(texts()).toEqual(['late', 'behind it'])
    expect((heard[0]?.at ?? 0) - before).toBeGreaterThanOrEqual(140)
    const again = performance.now()
    await say('now')
    await until(() => heard.length >= 3)
    expect((heard[2]?.at ?? 0) - again).toBeLessThan(140)
  })
})

describe('a disconnect', () => {
  it('ends open sockets of the project and lets the client reconnect', async () => {
    const bare = await world.bare(await world.userToken())
    const spared = await world.bare(await world.tokenFor(world.neighbour.anonKey))
    const { client, heard, say } = await echo()
    const faultId = await arm(
      { kind: 'realtime_disconnect' },
      { scope: { project: world.tenant.slug } },
    )
    expect(await bare.ended).toEqual({ code: 1012, reason: `disconnected by fault ${faultId}` })
    expect(spared.ws.readyState).toBe(WebSocket.OPEN)
    await until(() => !client.isConnected())
    await world.at.call('DELETE', '/_emulator/v1/faults')
    await until(() => client.isConnected())
    // The client rejoins its channel without a call of the test.
    await until(() => {
      void say('back')
      return heard.length > 0
    })
  })

  it('ends the requested number of sockets', async () => {
    const token = await world.userToken()
    const sockets = [await world.bare(token), await world.bare(token), await world.bare(token)]
    const identity = { subject: 'apikey:anon' }
    const anon = await world.bare(await world.tokenFor(world.tenant.anonKey))
    await arm(
      { kind: 'realtime_disconnect' },
      { count: 1, scope: { project: world.tenant.slug, identity } },
    )
    expect((await anon.ended).code).toBe(1012)
    expect(sockets.map(({ ws }) => ws.readyState)).toEqual([1, 1, 1])
    expect((await world.at.call('GET', '/_emulator/v1/faults')).body.faults).toEqual([])
  })

  it('ends new sockets while the fault is armed, and the journal names the fault', async () => {
    const faultId = await arm({ kind: 'realtime_disconnect' })
    const bare = await world.bare(await world.userToken())
    expect((await bare.ended).code).toBe(1012)
    const { body } = await world.at.call('GET', `/_emulator/v1/journal?search=${faultId}`)
    expect(body.entries).toMatchObject([{ fault: faultId, status: 101 }])
  })
})

describe('a handshake', () => {
  // Ends the clients of the tests above, because they reconnect at any time and would use up a fault.
  beforeAll(() => world.endClients())

  const opening = async (): Promise<number | undefined> => {
    const token = await world.userToken()
    const ws = new WebSocket(`${world.socketUrl}/websocket?apikey=${token}&vsn=1.0.0`)
    return new Promise((resolve) => {
      ws.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      ws.on('error', () => resolve(undefined))
      ws.on('open', () => {
        ws.terminate()
        resolve(101)
      })
    })
  }

  it.each([
    ['missing', 401],
    ['malformed', 401],
    ['badSignature', 401],
    ['missingClaims', 401],
    ['expired', 401],
    ['revoked', 401],
    ['userGone', 403],
    ['offline', 403],
    ['unknownProject', 404],
    ['version', 403],
    ['too_many_sockets', 429],
  ])('is refused for %s with %i', async (code, status) => {
    await arm({ kind: 'error', code }, { scope: { operation: 'socket.open' }, count: 1 })
    expect(await opening()).toBe(status)
    expect(await opening()).toBe(101)
  })

  it('is dropped without an answer', async () => {
    await arm({ kind: 'connection_dropped' }, { scope: { operation: 'socket.open' }, count: 1 })
    expect(await opening()).toBeUndefined()
  })
})

// The documented refusals of a join.
const JOINS = [
  'InvalidJWTToken: Token has expired 1 seconds ago',
  'MalformedJWT: The token provided is not a valid JWT',
  'JwtSignatureError: Failed to validate JWT signature',
  'Unauthorized: You do not have permissions to read from this Channel topic: room',
  'TopicNameRequired: You must provide a topic name',
  'PrivateOnly: This project only allows private channels',
  'ChannelRateLimitReached: Too many channels',
  'ClientJoinRateLimitReached: Too many joins per second',
  'ConnectionRateLimitReached: Too many connected users',
  'UnableToReplayMessages: Replay is not allowed for public channels',
  'UnableToConnectToProject: Realtime was unable to connect to the project database',
  'InitializingProjectConnection: Realtime is initializing the project connection',
  'RealtimeDisabledForTenant: Realtime disabled for this tenant',
  'TenantNotFound: Tenant with the given ID does not exist',
]

it.each(JOINS)('a join is refused with %s', async (reason) => {
  const bare = await world.bare(await world.userToken())
  const [code] = reason.split(':')
  await arm({ kind: 'error', code }, { scope: { operation: 'channel.join' }, count: 1 })
  expect(await bare.join('room')).toEqual({ status: 'error', response: { reason } })
  if (code === 'ClientJoinRateLimitReached') expect((await bare.ended).code).toBe(1008)
  else expect(await bare.join('room')).toMatchObject({ status: 'ok' })
})
