// Properties of objects that S3 has but this service does not store: tags, access lists, locks, versions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { presign } from '../../support/s3-client.ts'
import { all, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
})
afterAll(() => s3[Symbol.asyncDispose]())

const BODY = '<Tagging><TagSet/></Tagging>'
const NAMES = [
  'tagging',
  'acl',
  'retention',
  'legal-hold',
  'torrent',
  'attributes',
  'restore',
  'select',
  'encryption',
  'renameObject',
  'a-name-of-next-year',
]

describe('a sub-resource of an object', () => {
  it.each(NAMES)('%s cannot be put, posted or deleted, and the object stays', async (name) => {
    await s3.put('kept', 'kept')
    const query = { [name]: '' }
    const answers = [
      await s3.on('PUT', 'kept', { query, body: BODY }),
      await s3.on('POST', 'kept', { query, body: BODY }),
      await s3.on('DELETE', 'kept', { query }),
      await s3.on('PUT', 'kept', { query, headers: { 'x-amz-acl': 'private' } }),
    ]
    expect([answers.map(refusal), await s3.read('kept')]).toEqual([
      Array.from({ length: 4 }, () => [501, 'NotImplemented']),
      'kept',
    ])
  })

  it('cannot be put through a presigned URL either', async () => {
    await s3.put('kept', 'kept')
    const path = `/${s3.bucket}/kept`
    const url = presign(s3.keys, 'PUT', path, 60, { tagging: '' })
    const { status } = await fetch(url, { method: 'PUT', body: BODY })
    expect([status, await s3.read('kept')]).toEqual([501, 'kept'])
  })

  it('for tags is an empty set', async () => {
    await s3.put('plain', 'x')
    const { status, text } = await s3.on('GET', 'plain', { query: { tagging: '' } })
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/<Tagging [^>]*><TagSet><\/TagSet>/),
    ])
  })

  it('for access rights gives all rights to the project of the key', async () => {
    await s3.put('plain', 'x')
    const { text } = await s3.on('GET', 'plain', { query: { acl: '' } })
    expect([all(text, 'Permission'), all(text, 'DisplayName')]).toEqual([
      ['FULL_CONTROL'],
      [s3.world.tenant.schemaName, s3.world.tenant.schemaName],
    ])
  })

  it.each(['retention', 'legal-hold'])('%s reports that the bucket has no locks', async (name) => {
    await s3.put('plain', 'x')
    const answer = await s3.on('GET', 'plain', { query: { [name]: '' } })
    expect([...refusal(answer), all(answer.text, 'Message')[0]]).toEqual([
      400,
      'InvalidRequest',
      'Bucket is missing Object Lock Configuration',
    ])
  })

  it.each(['torrent', 'attributes'])('%s is not answered with the object', async (name) => {
    await s3.put('plain', 'x')
    expect(refusal(await s3.on('GET', 'plain', { query: { [name]: '' } }))).toEqual([
      501,
      'NotImplemented',
    ])
  })

  it('of an object that does not exist is NoSuchKey', async () => {
    expect(refusal(await s3.on('GET', 'absent', { query: { tagging: '' } }))).toEqual([
      404,
      'NoSuchKey',
    ])
  })
})

describe('a version', () => {
  it('other than null does not exist, and a request that names it deletes nothing', async () => {
    await s3.put('versioned', 'x')
    const query = { versionId: 'v1' }
    const answers = [
      await s3.on('GET', 'versioned', { query }),
      await s3.on('DELETE', 'versioned', { query }),
      await s3.on('PUT', 'copied', {
        headers: { 'x-amz-copy-source': `${s3.bucket}/versioned?versionId=v1` },
      }),
    ]
    expect([answers.map(refusal), await s3.read('versioned')]).toEqual([
      Array.from({ length: 3 }, () => [404, 'NoSuchVersion']),
      'x',
    ])
  })

  it('null is the current object', async () => {
    await s3.put('versioned', 'x')
    const { text } = await s3.on('GET', 'versioned', { query: { versionId: 'null' } })
    const { status } = await s3.on('DELETE', 'versioned', { query: { versionId: 'null' } })
    expect([text, status]).toEqual(['x', 204])
  })
})

describe('a sub-resource of a bucket', () => {
  it.each(['tagging', 'policy', 'cors', 'lifecycle', 'versions', 'object-lock'])(
    '%s is not answered with a list of objects',
    async (name) => {
      const answer = await s3.ask('GET', `/${s3.bucket}`, { query: { [name]: '' } })
      expect(refusal(answer)).toEqual([501, 'NotImplemented'])
    },
  )
})
