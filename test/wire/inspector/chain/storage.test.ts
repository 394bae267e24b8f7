// The chain of refused storage requests: one test per error of docs/wire/errors.md#storage that can arise by state.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestChain } from '../../../support/chain.ts'
import { type StorageWorld, startStorageWorld } from '../../../support/storage-world.ts'
import { setSwitches } from '../../../support/test-emulator.ts'

let world: StorageWorld
let bucket: string

beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
  await world.put(bucket, 'there.txt', 'here')
})
afterAll(() => world[Symbol.asyncDispose]())

const chain = () => newestChain(world.at)
const because = (broken: string, sentence: RegExp) => ({
  broken,
  sentence: expect.stringMatching(sentence),
})

describe('Storage errors', () => {
  it('a file that exists and is hidden leads to the role, not to the path', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`, { role: 'anon' })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*role is anon.*private/))
  })

  it('an anonymous request for a private file', async () => {
    await world.ask('GET', `/object/public/${bucket}/there.txt`, { role: null })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*anonymous.*private/))
  })

  it('a file that is not there leads to the object', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/missing.txt`)
    expect(await chain()).toMatchObject({
      ...because('object', /no file missing\.txt/),
      stateOf: { credential: 'holds', role: 'holds', bucket: 'holds' },
    })
  })

  it('a bucket that is not there, and another project’s', async () => {
    await world.ask('GET', `/object/authenticated/${world.tenant.schemaName}_none/a.txt`)
    expect(await chain()).toMatchObject(because('bucket', new RegExp(`has ${bucket}`)))
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`, { role: 'neighbour' })
    expect(await chain()).toMatchObject(because('bucket', /belongs to proj_acme/))
  })

  it('403: anon writes to a private bucket', async () => {
    await world.ask('POST', `/object/${bucket}/new.txt`, {
      role: 'anon',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(await chain()).toMatchObject({ status: 403, ...because('role', /anon may not write/) })
  })

  it('not_found: signing with an anon token', async () => {
    await world.ask('POST', `/object/sign/${bucket}/there.txt`, {
      role: 'anon',
      body: { expiresIn: 60 },
    })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*anon/))
  })

  it('400 InvalidKey: an accented name', async () => {
    await world.ask('POST', `/object/${bucket}/${encodeURIComponent('maçã.txt')}`, { body: 'x' })
    expect(await chain()).toMatchObject(because('object', /without accents/))
  })

  it('400 InvalidJWT: a signed URL that has expired', async () => {
    const signed = await world.ask('POST', `/object/sign/${bucket}/there.txt`, {
      body: { expiresIn: 60 },
    })
    await world.advance(180)
    await world.ask('GET', signed.body.signedURL, { role: null })
    expect(await chain()).toMatchObject(because('credential', /expired 2 minutes ago/))
    await world.advance(-180)
  })

  it('401: a key sent directly', async () => {
    await world.ask('GET', '/bucket', { token: world.tenant.anonKey })
    expect(await chain()).toMatchObject({
      status: 401,
      ...because('credential', /POST \/st\/v1\/token/),
    })
  })

  it('an expired storage token counts as anonymous on a public route', async () => {
    await world.advance(7_200)
    await world.ask('GET', `/object/${bucket}/there.txt`)
    expect(await chain()).toMatchObject(because('credential', /expired 1 hour ago/))
    await world.advance(-7_200)
  })

  it('402: the free plan’s gigabyte is used up', async () => {
    await setSwitches(world.at, 'acme', ['storage_over_quota'])
    const project = claimsOf(world.tenant.anonKey).project_id
    await world.at.call('PATCH', `/platform/v1/projects/${project}`, {
      credential: world.at.session,
      body: { plan: 'free' },
    })
    const answer = await world.at.call('POST', '/st/v1/token', {
      credential: world.tenant.anonKey,
    })
    if (answer.status === 402)
      expect(await chain()).toMatchObject(
        because('quota', /storage_over_quota is on for the project/),
      )
    await setSwitches(world.at, 'acme', [])
  })

  it('an access_token sent instead of a storage token', async () => {
    await world.at.call('POST', '/st/v1/token', { credential: world.at.session })
    expect(await chain()).toMatchObject(because('credential', /PASETO/))
  })

  it('a file larger than its bucket takes', async () => {
    const small = await world.freshBucket({ file_size_limit: 3 })
    await world.ask('POST', `/object/${small}/big.txt`, {
      body: 'four',
      headers: { 'content-type': 'text/plain' },
    })
    expect(await chain()).toMatchObject(because('quota', /file_size_limit/))
  })

  it('a file that is served has a chain without a broken link', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`)
    expect(await chain()).toMatchObject({ broken: null })
  })
})

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
