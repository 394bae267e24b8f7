// The access chain of refused storage requests. One test for each error of docs/wire/errors.md#storage that a state of the
// platform can cause.
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

describe('the chain of a storage request explains', () => {
  it('a hidden file by the role of the caller, not by the path', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`, { role: 'anon' })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*role is anon.*private/))
  })

  it('an anonymous request for a private file', async () => {
    await world.ask('GET', `/object/public/${bucket}/there.txt`, { role: null })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*anonymous.*private/))
  })

  it('a missing file by the object', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/missing.txt`)
    expect(await chain()).toMatchObject({
      ...because('object', /no file missing\.txt/),
      stateOf: { credential: 'holds', role: 'holds', bucket: 'holds' },
    })
  })

  it('a missing bucket, and a bucket of another project', async () => {
    await world.ask('GET', `/object/authenticated/${world.tenant.schemaName}_none/a.txt`)
    expect(await chain()).toMatchObject(because('bucket', new RegExp(`has ${bucket}`)))
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`, { role: 'neighbour' })
    expect(await chain()).toMatchObject(because('bucket', /belongs to proj_acme/))
  })

  it('a 403 when anon writes to a private bucket', async () => {
    await world.ask('POST', `/object/${bucket}/new.txt`, {
      role: 'anon',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(await chain()).toMatchObject({ status: 403, ...because('role', /anon may not write/) })
  })

  it('a not_found when an anon token signs a URL', async () => {
    await world.ask('POST', `/object/sign/${bucket}/there.txt`, {
      role: 'anon',
      body: { expiresIn: 60 },
    })
    expect(await chain()).toMatchObject(because('role', /there\.txt exists.*anon/))
  })

  it('a 400 InvalidKey for an accented name', async () => {
    await world.ask('POST', `/object/${bucket}/${encodeURIComponent('maçã.txt')}`, { body: 'x' })
    expect(await chain()).toMatchObject(because('object', /without accents/))
  })

  it('a 400 InvalidJWT for a signed URL that has expired', async () => {
    const signed = await world.ask('POST', `/object/sign/${bucket}/there.txt`, {
      body: { expiresIn: 60 },
    })
    await world.advance(180)
    await world.ask('GET', signed.body.signedURL, { role: null })
    expect(await chain()).toMatchObject(because('credential', /expired 2 minutes ago/))
    await world.advance(-180)
  })

  it('a 401 for a key that was not exchanged for a storage token', async () => {
    await world.ask('GET', '/bucket', { token: world.tenant.anonKey })
    expect(await chain()).toMatchObject({
      status: 401,
      ...because('credential', /POST \/st\/v1\/token/),
    })
  })

  it('an expired storage token that counts as anonymous on a public route', async () => {
    await world.advance(7_200)
    await world.ask('GET', `/object/${bucket}/there.txt`)
    expect(await chain()).toMatchObject(because('credential', /expired 1 hour ago/))
    await world.advance(-7_200)
  })

  it('a 402 when the free plan’s gigabyte is used up', async () => {
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

  it('a file larger than its bucket allows', async () => {
    const small = await world.freshBucket({ file_size_limit: 3 })
    await world.ask('POST', `/object/${small}/big.txt`, {
      body: 'four',
      headers: { 'content-type': 'text/plain' },
    })
    expect(await chain()).toMatchObject(because('quota', /file_size_limit/))
  })

  it('a file that is served, without a broken link', async () => {
    await world.ask('GET', `/object/authenticated/${bucket}/there.txt`)
    expect(await chain()).toMatchObject({ broken: null })
  })
})

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
