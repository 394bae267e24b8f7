// Lists of S3 uploads in parts, page by page, and parts that are spans of other objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, md5, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
})
afterAll(() => s3[Symbol.asyncDispose]())

const begin = async (bucket: string, key: string): Promise<string> =>
  all(
    (await s3.ask('POST', `/${bucket}/${key}`, { query: { uploads: '' } })).text,
    'UploadId',
  )[0] ?? ''
const single = (xml: string, name: string) => all(xml, name)[0]

describe('ListParts', () => {
  let uploadId: string
  beforeAll(async () => {
    uploadId = await begin(s3.bucket, 'parts')
    for (const partNumber of ['1', '2', '5', '9'])
      await s3.on('PUT', 'parts', { query: { uploadId, partNumber }, body: partNumber })
  })
  const list = async (query: Record<string, string> = {}) =>
    s3.on('GET', 'parts', { query: { uploadId, ...query } })

  it('continues page by page', async () => {
    const first = (await list({ 'max-parts': '3' })).text
    const marker = single(first, 'NextPartNumberMarker') ?? ''
    const second = (await list({ 'max-parts': '3', 'part-number-marker': marker })).text
    expect([
      [all(first, 'PartNumber'), single(first, 'IsTruncated'), single(first, 'MaxParts'), marker],
      [all(second, 'PartNumber'), single(second, 'IsTruncated')],
    ]).toEqual([
      [['1', '2', '5'], 'true', '3', '5'],
      [['9'], 'false'],
    ])
  })

  it('names no next page after the last one', async () => {
    const { text } = await list({ 'max-parts': '4' })
    expect([single(text, 'IsTruncated'), all(text, 'NextPartNumberMarker')]).toEqual(['false', []])
  })

  it.each([
    ['max-parts', '-1'],
    ['max-parts', 'x'],
    ['part-number-marker', '-1'],
    ['part-number-marker', 'x'],
  ])('refuses %s=%s', async (name, value) => {
    expect(refusal(await list({ [name]: value }))).toEqual([400, 'InvalidArgument'])
  })
})

describe('ListMultipartUploads', () => {
  let bucket: string
  let ids: Readonly<Record<string, string>>
  beforeAll(async () => {
    bucket = await s3.world.freshBucket()
    ids = {
      a: await begin(bucket, 'a'),
      b1: await begin(bucket, 'b/1'),
      b1again: await begin(bucket, 'b/1'),
      b2: await begin(bucket, 'b/2'),
      c: await begin(bucket, 'c d'),
    }
  })
  const list = async (query: Record<string, string> = {}) =>
    (await s3.ask('GET', `/${bucket}`, { query: { uploads: '', ...query } })).text

  it('continues page by page, also between uploads of one key', async () => {
    const seen: string[] = []
    let query: Record<string, string> = {}
    for (;;) {
      const text = await list({ 'max-uploads': '2', ...query })
      seen.push(...all(text, 'UploadId'))
      if (single(text, 'IsTruncated') === 'false') break
      query = {
        'key-marker': single(text, 'NextKeyMarker') ?? '',
        'upload-id-marker': single(text, 'NextUploadIdMarker') ?? '',
      }
    }
    const { a, b1, b1again, b2, c } = ids
    expect(seen.toSorted()).toEqual([a, b1, b1again, b2, c].toSorted())
    expect(new Set(seen).size).toBe(5)
  })

  it('skips all uploads of the key-marker when no upload marker is given', async () => {
    expect(all(await list({ 'key-marker': 'b/1' }), 'Key')).toEqual(['b/2', 'c d'])
  })

  it('can be limited to a prefix', async () => {
    expect(all(await list({ prefix: 'b/' }), 'Key')).toEqual(['b/1', 'b/1', 'b/2'])
  })

  it('groups by a delimiter, and does not repeat the last group of a page on the next page', async () => {
    const text = await list({ delimiter: '/' })
    const first = await list({ delimiter: '/', 'max-uploads': '2' })
    const rest = await list({
      delimiter: '/',
      'key-marker': single(first, 'NextKeyMarker') ?? '',
    })
    expect([all(text, 'Key'), all(text, 'Prefix'), all(first, 'Prefix'), all(rest, 'Key')]).toEqual(
      [['a', 'c d'], ['', 'b/'], ['', 'b/'], ['c d']],
    )
    expect(all(rest, 'Prefix')).toEqual([''])
  })

  it('encodes keys on request', async () => {
    expect(all(await list({ prefix: 'c', 'encoding-type': 'url' }), 'Key')).toEqual(['c%20d'])
  })

  it.each(['-1', 'x', '1.5'])('refuses max-uploads=%s', async (value) => {
    const answer = await s3.ask('GET', `/${bucket}`, {
      query: { uploads: '', 'max-uploads': value },
    })
    expect(refusal(answer)).toEqual([400, 'InvalidArgument'])
  })
})

describe('a part copied from an object', () => {
  let uploadId: string
  beforeAll(async () => {
    await s3.put('source', 'hello')
    uploadId = await begin(s3.bucket, 'target')
  })
  const copy = (headers: Record<string, string>) =>
    s3.on('PUT', 'target', {
      query: { uploadId, partNumber: '1' },
      headers: { 'x-amz-copy-source': `${s3.bucket}/source`, ...headers },
    })

  it.each(['bytes=-2', 'bytes=2-', 'bytes=3-2', 'bytes=0-5', 'bytes=0-99', '0-2', 'bytes=0-1,3-4'])(
    'refuses the range %s',
    async (range) => {
      expect(refusal(await copy({ 'x-amz-copy-source-range': range }))).toEqual([
        400,
        'InvalidArgument',
      ])
    },
  )

  it('can be a range within the object', async () => {
    const { text } = await copy({ 'x-amz-copy-source-range': 'bytes=1-4' })
    expect(all(text, 'ETag')[0]).toContain(md5('ello'))
  })

  it('can be a whole empty object', async () => {
    await s3.put('empty', '')
    const { status } = await copy({ 'x-amz-copy-source': `${s3.bucket}/empty` })
    expect(status).toBe(200)
  })

  it('applies the conditions of its source', async () => {
    expect(refusal(await copy({ 'x-amz-copy-source-if-match': '"x"' }))).toEqual([
      412,
      'PreconditionFailed',
    ])
  })
})
