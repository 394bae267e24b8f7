// The access chain of requests that are refused because of their credential, on every plane. Tests the chain with and without a
// recording of the request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../../support/auth-world.ts'
import { newestChain } from '../../../support/chain.ts'
import { provisionTenant, type TestTenant } from '../../../support/test-emulator.ts'

let world: AuthWorld

beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(
    'create table notes (id int primary key); grant select on notes to anon, authenticated',
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const chain = () => newestChain(world.at)
const because = (broken: string, sentence: RegExp) => ({
  status: 401,
  broken,
  sentence: expect.stringMatching(sentence),
})

async function freshTenant(): Promise<TestTenant> {
  return provisionTenant(world.at, world.group, `c${++tenants}`)
}
let tenants = 0

const read = (key: string, apikey = key) =>
  world.at.call('GET', '/rest/v1/notes', { credential: key, headers: { apikey } })

describe('the chain of a REST request explains', () => {
  it('a missing Authorization header', async () => {
    await world.at.call('GET', '/rest/v1/notes', { headers: { apikey: world.tenant.anonKey } })
    expect(await chain()).toMatchObject(because('credential', /Authorization is missing/))
  })

  it('a missing apikey header', async () => {
    await world.at.call('GET', '/rest/v1/notes', { credential: world.tenant.anonKey })
    expect(await chain()).toMatchObject(because('credential', /apikey is missing/))
  })

  it('keys that were regenerated', async () => {
    const { anonKey } = await freshTenant()
    const { project_id: id } = claimsOf(anonKey)
    await world.at.call('POST', `/platform/v1/projects/${id}/keys/regenerate`, {
      credential: world.at.session,
    })
    await read(anonKey)
    expect(await chain()).toMatchObject(because('credential', /regenerated/))
  })

  it('a project that was removed', async () => {
    const { anonKey, slug } = await freshTenant()
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/${slug}`, {
      credential: world.group.key,
    })
    await read(anonKey)
    expect(await chain()).toMatchObject({
      ...because('project', /was removed/),
      stateOf: { row: 'unknown', policy: 'unknown' },
    })
  })

  it('a token that has expired', async () => {
    const { data_plane_token: token } = await world.freshUser()
    await world.advance(3_660)
    await world.data('GET', '/notes', token)
    expect(await chain()).toMatchObject(because('credential', /expired 1 minute ago/))
    await world.advance(-3_660)
  })

  it('a user who is banned', async () => {
    const { user, data_plane_token: token } = await world.freshUser()
    await world.ban(user.id, '2100-01-01T00:00:00Z')
    await world.data('GET', '/notes', token)
    expect(await chain()).toMatchObject(because('claims', /banned/))
  })

  it('a bearer and an apikey of different projects', async () => {
    const other = await freshTenant()
    await read(world.tenant.anonKey, other.anonKey)
    expect(await chain()).toMatchObject(because('credential', /different projects/))
  })

  it('a data_plane_token as apikey', async () => {
    const { data_plane_token: token } = await world.freshUser()
    await read(token)
    expect(await chain()).toMatchObject(because('credential', /wrong kind/))
  })

  it('a profile that names another project', async () => {
    const other = await freshTenant()
    await world.at.call('GET', '/rest/v1/notes', {
      credential: world.tenant.anonKey,
      headers: { apikey: world.tenant.anonKey, 'accept-profile': other.schemaName },
    })
    expect(await chain()).toMatchObject(because('credential', /does not belong to the schema/))
  })
})

describe('the chain of an auth request explains', () => {
  it('a wrong password, and an unknown user', async () => {
    const { user } = await world.freshUser()
    await world.auth('POST', '/signin', { email: user.email, password: 'not the one' })
    expect(await chain()).toMatchObject(because('claims', /.{20}/))
    await world.auth('POST', '/signin', { email: 'nobody@example.com', password: 'not the one' })
    expect(await chain()).toMatchObject(because('claims', /.{20}/))
  })

  it('an ended session', async () => {
    const { access_token: token } = await world.freshUser()
    await world.auth('POST', '/signout', {}, token)
    await world.auth('GET', '/user', undefined, token)
    expect(await chain()).toMatchObject(because('credential', /session of this token has ended/))
  })

  it('a data_plane_token on an auth route', async () => {
    const { data_plane_token: token } = await world.freshUser()
    await world.auth('GET', '/user', undefined, token)
    expect(await chain()).toMatchObject(because('credential', /access_token/))
  })
})

describe('the chain of a realtime connection explains', () => {
  const send = (credential: string) =>
    world.at.call('POST', '/realtime/v1/api/broadcast', { credential, body: { messages: [] } })

  it('a key that was not exchanged for a realtime token', async () => {
    await send(world.tenant.anonKey)
    expect(await chain()).toMatchObject(because('credential', /POST \/rt\/v1\/token/))
  })

  it('a token that has expired', async () => {
    const exchanged = await world.at.call('POST', '/rt/v1/token', {
      credential: world.tenant.anonKey,
    })
    await world.advance(3_660)
    await send(exchanged.body.token)
    expect(await chain()).toMatchObject(because('credential', /expired 1 minute ago/))
    await world.advance(-3_660)
  })

  it('a token exchange for a removed project', async () => {
    const { anonKey, slug } = await freshTenant()
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/${slug}`, {
      credential: world.group.key,
    })
    await world.at.call('POST', '/rt/v1/token', { credential: anonKey })
    expect(await chain()).toMatchObject({ ...because('project', /was removed/), status: 403 })
  })
})

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
