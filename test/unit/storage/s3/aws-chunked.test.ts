import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeChunks } from '../../../../emulator/services/storage/s3/body/aws-chunked.ts'

async function* inPieces(text: string, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of bytes) all.push(piece)
  return Buffer.concat(all).toString()
}
const CRC32_OF_AB = Buffer.from('9e83486d', 'hex').toString('base64')
const plain = { trailers: [], decodedBytes: undefined }
const sign = (previous: string, chunkHash: string): string =>
  createHash('sha256')
    .update(previous + chunkHash)
    .digest('hex')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const signatures = { seed: 'seed', chunk: sign, trailer: sign }
const signed = { ...plain, signatures }

function encode(chunks: readonly string[], seed?: string): string {
  let previous = seed ?? ''
  return [...chunks, '']
    .map((chunk) => {
      previous = sign(previous, hashOf(chunk))
      const head = Buffer.byteLength(chunk).toString(16)
      return `${head}${seed === undefined ? '' : `;chunk-signature=${previous}`}\r\n${chunk}\r\n`
    })
    .join('')
}

describe('an aws-chunked body', () => {
  it('is decoded to its joined chunks, wherever the stream is split', async () => {
    const chunk = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), fc.integer({ min: 1, max: 50 }), async (chunks, size) => {
        const withSignatures = decodeChunks(inPieces(encode(chunks, 'seed'), size), signed)
        const without = decodeChunks(inPieces(encode(chunks), size), plain)
        expect([await collect(withSignatures), await collect(without)]).toEqual([
          chunks.join(''),
          chunks.join(''),
        ])
      }),
    )
  })

  it.each(['\r\n', '\n\r\n\r\n'])('may end in a trailer whose lines end in %j', async (end) => {
    const body = `2\r\nab\r\n0\r\nX-Amz-Checksum-CRC32: nkg29Q==${end}\r\n`
    const trailers = ['x-amz-checksum-crc32']
    const decode = (text: string) =>
      collect(decodeChunks(inPieces(text, 7), { ...plain, trailers }))
    await expect(decode(body.replace('nkg29Q==', 'AAAAAA=='))).rejects.toMatchObject({
      code: 'BadDigest',
    })
    expect(await decode(body.replace('nkg29Q==', CRC32_OF_AB))).toBe('ab')
  })

  it('with a chunk that was changed is refused', async () => {
    const body = encode(['one', 'two'], 'seed').replace('two', 'TWO')
    await expect(collect(decodeChunks(inPieces(body, 9), signed))).rejects.toMatchObject({
      code: 'SignatureDoesNotMatch',
    })
  })

  it.each([['zz\r\n'], ['5\r\nab'], ['2\r\nabcd\r\n'], [''], ['x'.repeat(20_000)]])(
    'is refused: %j',
    async (body) => {
      await expect(collect(decodeChunks(inPieces(body, 100), plain))).rejects.toMatchObject({
        code: 'InvalidRequest',
      })
    },
  )
})
