// Conditional requests over S3: RFC 9110 §13 for reads, the same headers for writes and copies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, md5, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
  await s3.put('read', 'hello')
})
afterAll(() => s3[Symbol.asyncDispose]())

const ETAG = `"${md5('hello')}"`
const PAST = 'Thu, 01 Jan 2015 00:00:00 GMT'
const FUTURE = 'Thu, 01 Jan 2099 00:00:00 GMT'
const FAILED = [412, 'PreconditionFailed']

describe('a read', () => {
  it.each([
    [{ 'if-match': ETAG }, 200],
    [{ 'if-match': md5('hello') }, 200],
    [{ 'if-match': `"x", ${ETAG}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': FUTURE }, 200],
    [{ 'if-unmodified-since': PAST }, 412],
    [{ 'if-match': ETAG, 'if-unmodified-since': PAST }, 200],
    [{ 'if-none-match': ETAG }, 304],
    [{ 'if-none-match': `"x", W/${ETAG}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': FUTURE }, 200],
    [{ 'if-modified-since': FUTURE }, 304],
    [{ 'if-modified-since': PAST }, 200],
    [{ 'if-modified-since': 'no date' }, 200],
  ] as const)('with %j answers %i', async (headers, status) => {
    const got = await s3.on('GET', 'read', { headers })
    const head = await s3.on('HEAD', 'read', { headers })
    expect([got.status, head.status]).toEqual([status, status])
  })

  it('returns the ETag without a body when the content is unchanged', async () => {
    const { status, headers, text } = await s3.on('GET', 'read', {
      headers: { 'if-none-match': ETAG },
    })
    expect([status, headers.get('etag'), text]).toEqual([304, ETAG, ''])
  })

  it('returns PreconditionFailed when its condition fails', async () => {
    expect(refusal(await s3.on('GET', 'read', { headers: { 'if-match': '"x"' } }))).toEqual(FAILED)
  })
})

describe('a write', () => {
  it('with If-None-Match: * accepts only a new key', async () => {
    const headers = { 'if-none-match': '*' }
    const first = await s3.put('once', 'first', headers)
    const second = await s3.put('once', 'second', headers)
    expect([first.status, refusal(second), await s3.read('once')]).toEqual([200, FAILED, 'first'])
  })

  it('with If-Match replaces only content with the given ETag', async () => {
    await s3.put('swap', 'one')
    const wrong = await s3.put('swap', 'no', { 'if-match': '"x"' })
    const right = await s3.put('swap', 'two', { 'if-match': `"${md5('one')}"` })
    const absent = await s3.put('swap-absent', 'no', { 'if-match': '*' })
    expect([refusal(wrong), right.status, refusal(absent), await s3.read('swap')]).toEqual([
      FAILED,
      200,
      [404, 'NoSuchKey'],
      'two',
    ])
  })

  it('with If-Unmodified-Since keeps newer content', async () => {
    await s3.put('newer', 'one')
    const answer = await s3.put('newer', 'two', { 'if-unmodified-since': PAST })
    expect([refusal(answer), await s3.read('newer')]).toEqual([FAILED, 'one'])
  })

  it('with If-None-Match: * succeeds once when two requests arrive together', async () => {
    const rounds = await Promise.all(
      Array.from({ length: 20 }, async (_, round) => {
        const answers = await Promise.all(
          ['a', 'b'].map((text) => s3.put(`race-${round}`, text, { 'if-none-match': '*' })),
        )
        return answers.map(({ status }) => status).sort()
      }),
    )
    expect(rounds).toEqual(rounds.map(() => [200, 412]))
  })

  it('with the same If-Match succeeds once when many requests arrive together', async () => {
    await s3.put('counter', '0')
    const headers = { 'if-match': `"${md5('0')}"` }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => s3.put('counter', `${n + 1}`, headers)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('that fails leaves no bytes behind', async () => {
    await s3.put('once-more', 'first')
    await s3.put('once-more', 'second', { 'if-none-match': '*' })
    expect(await s3.read('once-more')).toBe('first')
  })
})

describe('a copy', () => {
  const copy = (key: string, headers: Record<string, string>) =>
    s3.on('PUT', key, { headers: { 'x-amz-copy-source': `${s3.bucket}/read`, ...headers } })

  it.each([
    [{ 'x-amz-copy-source-if-match': ETAG }, 200],
    [{ 'x-amz-copy-source-if-match': '"x"' }, 412],
    [{ 'x-amz-copy-source-if-none-match': ETAG }, 412],
    [{ 'x-amz-copy-source-if-none-match': '"x"' }, 200],
    [{ 'x-amz-copy-source-if-modified-since': FUTURE }, 412],
    [{ 'x-amz-copy-source-if-unmodified-since': PAST }, 412],
    [{ 'x-amz-copy-source-if-match': ETAG, 'x-amz-copy-source-if-unmodified-since': PAST }, 200],
  ] as const)('with %j answers %i', async (headers, status) => {
    expect((await copy('copied', headers)).status).toBe(status)
  })

  it('applies the conditions of its target', async () => {
    await s3.put('taken', 'taken')
    const refused = await copy('taken', { 'if-none-match': '*' })
    const right = await copy('taken', { 'if-match': `"${md5('taken')}"` })
    expect([refusal(refused), right.status]).toEqual([FAILED, 200])
  })
})

describe('a deletion', () => {
  it('with If-Match removes only content with the given ETag', async () => {
    await s3.put('doomed', 'x')
    const wrong = await s3.on('DELETE', 'doomed', { headers: { 'if-match': '"x"' } })
    const right = await s3.on('DELETE', 'doomed', { headers: { 'if-match': `"${md5('x')}"` } })
    const gone = await s3.on('DELETE', 'doomed', { headers: { 'if-match': '*' } })
    expect([refusal(wrong), right.status, refusal(gone)]).toEqual([FAILED, 204, [404, 'NoSuchKey']])
  })
})

describe('completing an upload in parts', () => {
  it('with If-None-Match: * keeps an object that was stored in the meantime, and can be repeated', async () => {
    const begun = await s3.on('POST', 'assembled', { query: { uploads: '' } })
    const uploadId = all(begun.text, 'UploadId')[0] ?? ''
    await s3.on('PUT', 'assembled', { query: { uploadId, partNumber: '1' }, body: 'parts' })
    await s3.put('assembled', 'whole')
    const complete = (headers: Record<string, string>) =>
      s3.on('POST', 'assembled', {
        query: { uploadId },
        headers,
        body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>',
      })
    const refused = await complete({ 'if-none-match': '*' })
    const kept = await s3.read('assembled')
    const done = await complete({ 'if-match': `"${md5('whole')}"` })
    expect([refusal(refused), kept, done.status, await s3.read('assembled')]).toEqual([
      FAILED,
      'whole',
      200,
      'parts',
    ])
  })
})
