// Checksums of S3 bodies, in a header or after the last chunk. The values of 123456789 are the check values of the algorithms.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, md5, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
})
afterAll(() => s3[Symbol.asyncDispose]())

const TEXT = '123456789'
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const hashed = (algorithm: string, text: string) =>
  createHash(algorithm).update(text).digest('base64')
/**
 * Correct checksums of TEXT. The catalogue of parametrised CRC algorithms has the values of CRC-32/ISO-HDLC, CRC-32/ISCSI and
 * CRC-64/NVME.
 */
const RIGHT: Readonly<Record<string, string>> = {
  crc32: base64('cbf43926'),
  crc32c: base64('e3069283'),
  crc64nvme: base64('ae8b14860a799888'),
  sha1: hashed('sha1', TEXT),
  sha256: hashed('sha256', TEXT),
}
const WRONG: Readonly<Record<string, string>> = {
  crc32: base64('00000000'),
  crc32c: base64('00000000'),
  crc64nvme: base64('0000000000000000'),
  sha1: hashed('sha1', 'x'),
  sha256: hashed('sha256', 'x'),
}
const ALGORITHMS = Object.keys(RIGHT)

const trailed = (key: string, trailer: string, declared?: string) =>
  s3.on('PUT', key, {
    body: `4\r\n1234\r\n5\r\n56789\r\n0\r\n${trailer}\r\n`,
    payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    headers: declared === undefined ? {} : { 'x-amz-trailer': declared },
  })

describe.each(ALGORITHMS)('a checksum by %s', (algorithm) => {
  const name = `x-amz-checksum-${algorithm}`

  it('is accepted and returned when it is right', async () => {
    const answer = await s3.put('right', TEXT, { [name]: RIGHT[algorithm] ?? '' })
    expect([answer.status, answer.headers.get(name)]).toEqual([200, RIGHT[algorithm]])
  })

  it('stores nothing when it is wrong', async () => {
    const answer = await s3.put(`wrong-${algorithm}`, TEXT, { [name]: WRONG[algorithm] ?? '' })
    expect([refusal(answer), await s3.read(`wrong-${algorithm}`)]).toEqual([
      [400, 'BadDigest'],
      'NoSuchKey',
    ])
  })

  it('may follow the bytes in a trailer', async () => {
    const right = await trailed('after', `${name}:${RIGHT[algorithm]}\r\n`, name)
    const wrong = await trailed(`after-${algorithm}`, `${name}:${WRONG[algorithm]}\r\n`, name)
    expect([right.status, refusal(wrong), await s3.read(`after-${algorithm}`)]).toEqual([
      200,
      [400, 'BadDigest'],
      'NoSuchKey',
    ])
  })
})

describe('a checksum', () => {
  it('of a part is verified', async () => {
    const begun = await s3.on('POST', 'part', { query: { uploads: '' } })
    const uploadId = all(begun.text, 'UploadId')[0] ?? ''
    const put = (value: string | undefined) =>
      s3.on('PUT', 'part', {
        query: { uploadId, partNumber: '1' },
        body: TEXT,
        headers: { 'x-amz-checksum-crc32c': value ?? '' },
      })
    expect([refusal(await put(WRONG['crc32c'])), (await put(RIGHT['crc32c'])).status]).toEqual([
      [400, 'BadDigest'],
      200,
    ])
  })

  it('of an XML body is verified', async () => {
    await s3.put('named', 'x')
    const answer = await s3.ask('POST', `/${s3.bucket}`, {
      query: { delete: '' },
      body: '<Delete><Object><Key>named</Key></Object></Delete>',
      headers: { 'x-amz-checksum-crc32': WRONG['crc32'] ?? '' },
    })
    expect([refusal(answer), await s3.read('named')]).toEqual([[400, 'BadDigest'], 'x'])
  })

  it.each([
    ['no base64 of four bytes', { 'x-amz-checksum-crc32': 'abc' }],
    ['one of several', { 'x-amz-checksum-crc32': 'y/Q5Jg==', 'x-amz-checksum-sha1': 'x' }],
  ])('that is %s is an invalid request', async (_name, headers) => {
    expect(refusal(await s3.put('invalid', TEXT, headers))).toEqual([400, 'InvalidRequest'])
  })

  it('of an unknown algorithm is refused', async () => {
    expect(refusal(await s3.put('x', TEXT, { 'x-amz-checksum-xxhash3': 'AAAA' }))).toEqual([
      501,
      'NotImplemented',
    ])
  })

  it('of an upload in parts covers the joined bytes, or the checksums of the parts', async () => {
    const assemble = async (headers: Record<string, string>) => {
      const begun = await s3.on('POST', 'joined', { query: { uploads: '' } })
      const uploadId = all(begun.text, 'UploadId')[0] ?? ''
      for (const [index, body] of ['1234', '56789'].entries())
        await s3.on('PUT', 'joined', { query: { uploadId, partNumber: `${index + 1}` }, body })
      return s3.on('POST', 'joined', {
        query: { uploadId },
        headers,
        body: `<CompleteMultipartUpload>${[1, 2].map((n) => `<Part><PartNumber>${n}</PartNumber></Part>`).join('')}</CompleteMultipartUpload>`,
      })
    }
    const digests = ['1234', '56789'].map((text) => createHash('sha256').update(text).digest())
    const composite = createHash('sha256').update(Buffer.concat(digests)).digest('base64')
    const answers = [
      await assemble({ 'x-amz-checksum-crc64nvme': RIGHT['crc64nvme'] ?? '' }),
      await assemble({ 'x-amz-checksum-crc64nvme': WRONG['crc64nvme'] ?? '' }),
      await assemble({ 'x-amz-checksum-sha256': `${composite}-2` }),
      await assemble({ 'x-amz-checksum-sha256': `${WRONG['sha256']}-2` }),
    ]
    expect(answers.map(({ status, text }) => [status, all(text, 'Code')[0]])).toEqual([
      [200, undefined],
      [400, 'BadDigest'],
      [200, undefined],
      [400, 'BadDigest'],
    ])
  })
})

describe('Content-MD5', () => {
  it('is refused with InvalidDigest when it is malformed', async () => {
    expect(refusal(await s3.put('x', TEXT, { 'content-md5': 'abc' }))).toEqual([
      400,
      'InvalidDigest',
    ])
  })

  it('is refused with BadDigest when it is wrong', async () => {
    expect(refusal(await s3.put('x', TEXT, { 'content-md5': base64(md5('x')) }))).toEqual([
      400,
      'BadDigest',
    ])
  })
})

describe('a trailer', () => {
  const line = `x-amz-checksum-crc32:${RIGHT['crc32']}\r\n`

  it.each([
    ['is missing', '', 'x-amz-checksum-crc32'],
    ['was not announced', line, undefined],
    ['is another than announced', line, 'x-amz-checksum-sha1'],
    ['is no header', 'nonsense\r\n', 'x-amz-checksum-crc32'],
    ['comes twice', line + line, 'x-amz-checksum-crc32'],
    ['never ends', 'x'.repeat(20_000), 'x-amz-checksum-crc32'],
  ])('that %s is malformed, and nothing is stored', async (_name, trailer, declared) => {
    expect([
      refusal(await trailed('trailed', trailer, declared)),
      await s3.read('trailed'),
    ]).toEqual([[400, 'MalformedTrailerError'], 'NoSuchKey'])
  })

  it('must be signed when the chunks are signed', async () => {
    const sent = {
      body: TEXT,
      chunkBytes: 4,
      trailer: { 'x-amz-checksum-crc32': RIGHT['crc32'] ?? '' },
    }
    const right = await s3.on('PUT', 'signed-trailer', sent)
    const forged = await s3.on('PUT', 'forged-trailer', { ...sent, forgesTrailer: true })
    expect([right.status, refusal(forged), await s3.read('forged-trailer')]).toEqual([
      200,
      [403, 'SignatureDoesNotMatch'],
      'NoSuchKey',
    ])
  })
})

describe('a chunked body', () => {
  it('shorter or longer than announced is incomplete', async () => {
    const answer = await s3.on('PUT', 'short', {
      body: '4\r\n1234\r\n0\r\n\r\n',
      payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      headers: { 'x-amz-trailer': 'x-amz-checksum-crc32', 'x-amz-decoded-content-length': '5' },
    })
    expect([refusal(answer), await s3.read('short')]).toEqual([
      [400, 'IncompleteBody'],
      'NoSuchKey',
    ])
  })
})
