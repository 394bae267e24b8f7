// Opening a socket: paths, credentials, and the HTTP answers of a refusal (docs/wire/realtime.md#socket).
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openBareSocket,
  type RealtimeWorld,
  startRealtimeWorld,
} from '../../support/realtime-world.ts'
import { createGroup, provisionTenant } from '../../support/test-emulator.ts'

let world: RealtimeWorld
let token: string
beforeAll(async () => {
  world = await startRealtimeWorld()
  token = await world.userToken()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Answered {
  readonly status: number
  readonly body: string
}

/** Sends an upgrade request. Returns the answer, which has status 101 when the upgrade succeeds. */
function knock(path: string, headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const knocking = request(world.at.url + path, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    })
    knocking.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve({ status: 101, body: '' })
    })
    knocking.on('response', async (response) => {
      let body = ''
      for await (const piece of response) body += piece
      resolve({ status: response.statusCode ?? 0, body })
    })
    knocking.on('error', reject)
    knocking.end()
  })
}

const refusal = (status: number, error: string) => ({ status, body: JSON.stringify({ error }) })
const socketPath = '/realtime/v1/websocket'

describe('handshake', () => {
  it.each<[string, (t: string) => string, Record<string, string>]>([
    ['the single origin', (t) => `${socketPath}?apikey=${t}&vsn=2.0.0`, {}],
    [
      'the single origin, by a client that names no version',
      (t) => `${socketPath}?apikey=${t}`,
      {},
    ],
    [
      'the realtime host',
      (t) => `/socket/websocket?apikey=${t}&vsn=1.0.0`,
      { host: 'realtime.localhost' },
    ],
  ])('is granted at %s', async (_where, pathOf, headers) => {
    expect((await knock(pathOf(token), headers)).status).toBe(101)
  })

  it('prefers the token in the header to the token in the query parameter', async () => {
    const path = `${socketPath}?apikey=nonsense`
    expect((await knock(path, { 'x-api-key': token })).status).toBe(101)
  })

  it.each([
    ['', 'API key is missing'],
    ['?apikey=', 'API key is missing'],
    ['?apikey=nonsense', 'The token provided is not a valid JWT'],
    ['?apikey=e30.e30.e30', 'Failed to validate JWT signature'],
  ])('with %s is refused: %s', async (query, error) => {
    expect(await knock(socketPath + query)).toEqual(refusal(401, error))
  })

  it('refuses project keys and tokens of other services, which have another signer', async () => {
    const storage = await world.at.call('POST', '/st/v1/token', {
      credential: world.tenant.anonKey,
    })
    for (const foreign of [world.tenant.anonKey, world.tenant.serviceRoleKey, storage.body.token])
      expect(await knock(`${socketPath}?apikey=${foreign}`)).toEqual(
        refusal(401, 'Failed to validate JWT signature'),
      )
  })

  it('refuses an expired token', async () => {
    const old = await world.userToken()
    await world.advance(3_600)
    expect(await knock(`${socketPath}?apikey=${old}`)).toEqual(refusal(401, 'Token has expired'))
    token = await world.userToken()
  })

  it('refuses tokens of a project that was removed or purged', async () => {
    const group = await createGroup(world.at, 'gone')
    const gone = await provisionTenant(world.at, group, 'goner')
    const late = await world.tokenFor(gone.anonKey)
    const tenant = `/groups/v1/${group.id}/tenants/goner`
    await world.at.call('DELETE', tenant, { credential: group.key })
    expect(await knock(`${socketPath}?apikey=${late}`)).toEqual(
      refusal(403, 'Realtime was disabled for this tenant'),
    )
    await world.at.call('DELETE', `${tenant}/purge?confirm=goner`, { credential: group.key })
    expect(await knock(`${socketPath}?apikey=${late}`)).toEqual(refusal(404, 'Tenant not found'))
  })

  it('refuses unsupported versions, and paths without a socket', async () => {
    expect((await knock(`${socketPath}?apikey=${token}&vsn=3.0.0`)).status).toBe(403)
    expect((await knock(`/realtime/v1/other?apikey=${token}`)).status).toBe(404)
    expect((await knock('/rooms')).status).toBe(404)
  })

  it('answers other upgrade requests like plain HTTP requests', async () => {
    const answer = await knock('/.well-known/jwks.json', { upgrade: 'h2c' })
    expect(answer.status).toBe(200)
  })

  it('is recorded in the journal once, without the token', async () => {
    await knock(`${socketPath}?apikey=${token}&vsn=2.0.0`)
    const journal = await world.at.call('GET', '/_emulator/v1/journal?limit=20')
    const text = journal.text
    expect(text).toContain(socketPath)
    expect(text).not.toContain(token)
  })
})

describe('stopping the emulator', () => {
  it('closes open sockets cleanly', async () => {
    const { port, close } = await world.at.emulator.listen({ port: 0, host: '127.0.0.1' })
    const url = `ws://127.0.0.1:${port}${socketPath}?apikey=${token}&vsn=2.0.0`
    const socket = await openBareSocket(url, '2.0.0')
    await close()
    expect(await socket.ended).toMatchObject({ code: 1001 })
  })
})
