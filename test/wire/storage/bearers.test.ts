// Which bearer tokens the storage service accepts (docs/wire/storage.md#access).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld, storageToken } from '../../support/storage-world.ts'
import { provisionTenant, userToken } from '../../support/test-emulator.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const badBearer = (message: unknown) => ({
  status: 400,
  body: { statusCode: '403', error: 'Unauthorized', code: 'AccessDenied', message },
})
const listWith = (token: string) => world.ask('GET', '/bucket', { token })
const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a bearer', () => {
  it('is required', async () => {
    expect(await world.ask('GET', '/bucket', { role: null })).toMatchObject({
      status: 400,
      body: {
        statusCode: '400',
        error: 'Error',
        code: 'InvalidRequest',
        message: "headers must have required property 'authorization'",
      },
    })
  })

  it.each([
    ['', 'Invalid Compact JWS'],
    ['nonsense', 'Invalid Compact JWS'],
    ['a.b', 'Invalid Compact JWS'],
    ['a.b.c', 'JWS Protected Header is invalid'],
    [`${b64({ alg: 'HS256' })}.${b64({})}.AAAA`, 'signature verification failed'],
    [`${b64({ alg: 'none' })}.${b64({ role: 'authenticated' })}.`, 'signature verification failed'],
  ])('is refused with the text %j', async (token, message) => {
    expect(await listWith(token)).toMatchObject(badBearer(message))
  })

  it('is refused with claims that the signature does not cover', async () => {
    const [head, claims, signature] = world.tokens.anon.split('.')
    const raised = {
      ...JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()),
      role: 'authenticated',
      origin_role: 'service_role',
    }
    expect(await listWith(`${head}.${b64(raised)}.${signature}`)).toMatchObject(
      badBearer('signature verification failed'),
    )
  })

  it('is refused after an hour', async () => {
    const token = await storageToken(world.at, world.tenant.serviceRoleKey)
    expect((await listWith(token)).status).toBe(200)
    await world.advance(3_600)
    expect(await listWith(token)).toMatchObject(badBearer('"exp" claim timestamp check failed'))
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('is refused with 401 and a suggestion when it is a key that was not exchanged', async () => {
    const keys = [
      world.tenant.anonKey,
      world.tenant.serviceRoleKey,
      await userToken(world.at, 'acme', '00000000-0000-4000-8000-00000000000b'),
      world.group.key,
      world.at.session,
    ]
    for (const token of keys)
      for (const path of ['/bucket', '/object/proj_acme_any/key'])
        expect(await world.ask('GET', path, { token })).toMatchObject({
          status: 401,
          body: {
            statusCode: '401',
            error: 'Unauthorized',
            code: 'AccessDenied',
            message: expect.stringContaining('/st/v1/token'),
          },
        })
  })

  it('is refused with 401 as soon as the keys are regenerated', async () => {
    const { at, group } = world
    const tenant = await provisionTenant(at, group, 'rotated')
    const before = await storageToken(at, tenant.serviceRoleKey)
    expect((await listWith(before)).status).toBe(200)
    const { project_id: projectId } = JSON.parse(
      Buffer.from(tenant.anonKey.split('.')[1] ?? '', 'base64url').toString(),
    )
    const { body: fresh } = await at.call(
      'POST',
      `/platform/v1/projects/${projectId}/keys/regenerate`,
      { credential: at.session },
    )
    expect(await listWith(before)).toMatchObject({
      status: 401,
      body: { statusCode: '401', error: 'Unauthorized', code: 'AccessDenied' },
    })
    const after = await storageToken(at, fresh.service_role_key)
    expect((await listWith(after)).status).toBe(200)
  })

  it('is refused when its project is removed', async () => {
    const tenant = await provisionTenant(world.at, world.group, 'leaver')
    const token = await storageToken(world.at, tenant.serviceRoleKey)
    expect((await listWith(token)).status).toBe(200)
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/leaver`, {
      credential: world.group.key,
    })
    expect(await listWith(token)).toMatchObject(badBearer(expect.stringMatching(/not active/)))
  })

  it('is refused when its user is deleted', async () => {
    const signedUp = await world.at.call('POST', '/auth/v1/signup', {
      body: { email: 'gone@example.com', password: 'correct horse' },
      headers: { apikey: world.tenant.anonKey },
    })
    const token = await storageToken(world.at, signedUp.body.data_plane_token)
    expect((await listWith(token)).status).toBe(200)
    await world.at.call('DELETE', '/auth/v1/user', {
      credential: signedUp.body.access_token,
      headers: { apikey: world.tenant.anonKey },
    })
    expect(await listWith(token)).toMatchObject(badBearer(expect.stringMatching(/deleted/)))
  })

  it('is recorded in the journal with its request', async () => {
    await world.ask('GET', '/bucket?search=journal', { role: 'user' })
    const { body } = await world.at.call('GET', '/_emulator/v1/journal?limit=20')
    expect(
      body.entries.find(({ target }: { target: string }) => target.endsWith('search=journal')),
    ).toMatchObject({ service: 'storage', status: 200 })
  })
})

describe('an unknown route', () => {
  it('answers 404', async () => {
    expect(await world.ask('GET', '/nothing?x=1')).toMatchObject({
      status: 404,
      body: {
        statusCode: '404',
        error: 'Not Found',
        code: 'InvalidRequest',
        message: 'Route GET:/nothing?x=1 not found',
      },
    })
  })
})
