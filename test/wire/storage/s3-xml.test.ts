// XML bodies of S3 requests: which elements are read, and which bodies are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
})
afterAll(() => s3[Symbol.asyncDispose]())

const deleteMany = (body: string) =>
  s3.ask('POST', `/${s3.bucket}`, { query: { delete: '' }, body })
const HALF_MEGABYTE = 512 * 1024

describe('a hostile body', () => {
  const hostile: Readonly<Record<string, string>> = {
    'unclosed elements': `<Delete>${'<Object>'.repeat(HALF_MEGABYTE / 8)}`,
    'too many elements': `<Delete>${'<Object/>'.repeat(100_000)}</Delete>`,
    'a document type with entities': `<!DOCTYPE Delete [<!ENTITY a "${'b'.repeat(1_000)}">]><Delete><Object><Key>&a;</Key></Object></Delete>`,
    'an undeclared entity': '<Delete><Object><Key>&x;</Key></Object></Delete>',
    'one endless name': `<${'D'.repeat(HALF_MEGABYTE)}`,
    'one endless attribute': `<Delete a="${'b'.repeat(HALF_MEGABYTE)}`,
    'many attributes': `<Delete ${Array.from({ length: 40_000 }, (_, n) => `a${n}="1"`).join(' ')}`,
    'text beside the document': '<Delete><Object><Key>a</Key></Object></Delete>trailing',
    'tags that cross': '<Delete><Object><Key>a</Object></Key></Delete>',
    'another document':
      '<CompleteMultipartUpload><Object><Key>a</Key></Object></CompleteMultipartUpload>',
    nothing: '',
    'more than two megabytes': `<Delete>${' '.repeat(2 * 1024 * 1024)}</Delete>`,
  }

  it.each(Object.entries(hostile))('of %s is refused as malformed', async (_name, body) => {
    expect(refusal(await deleteMany(body))).toEqual([400, 'MalformedXML'])
  })
})

describe('DeleteObjects', () => {
  it('reads prefixes, comments, character data and references', async () => {
    for (const key of ['x1', 'x2', 'x3']) await s3.put(key, 'x')
    const { text } = await deleteMany(`<?xml version="1.0" encoding="UTF-8"?>
      <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><!-- <Object><Key>keep</Key></Object> -->
        <Object><Key><![CDATA[x1]]></Key></Object><Object><Key>x&#50;</Key></Object>
        <Object><Key>x&#x33;</Key></Object></Delete>`)
    expect([all(text, 'Key'), await s3.read('x1'), await s3.read('x3')]).toEqual([
      ['x1', 'x2', 'x3'],
      'NoSuchKey',
      'NoSuchKey',
    ])
  })

  it('takes 1,000 keys and refuses 1,001', async () => {
    const named = (count: number) =>
      `<Delete><Quiet>true</Quiet>${'<Object><Key>k</Key></Object>'.repeat(count)}</Delete>`
    const most = await deleteMany(named(1_000))
    const more = await deleteMany(named(1_001))
    expect([most.status, all(most.text, 'Key'), refusal(more)]).toEqual([
      200,
      [],
      [400, 'MalformedXML'],
    ])
  })

  it('keeps an object with another ETag, and an object that is named with a version', async () => {
    for (const key of ['old', 'versioned']) await s3.put(key, key)
    const { text } = await deleteMany(`<Delete><Object><Key>old</Key><ETag>"0"</ETag></Object>
      <Object><Key>versioned</Key><VersionId>v1</VersionId></Object></Delete>`)
    expect([all(text, 'Code'), await s3.read('old'), await s3.read('versioned')]).toEqual([
      ['PreconditionFailed', 'NoSuchVersion'],
      'old',
      'versioned',
    ])
  })
})
