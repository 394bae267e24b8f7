import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeChunks, matchingHash } from '../../../../emulator/storage/s3/aws-chunked.ts'

async function* inPieces(text: string, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of bytes) all.push(piece)
  return Buffer.concat(all).toString()
}
const sign = (previous: string, chunkHash: string): string =>
  createHash('sha256')
    .update(previous + chunkHash)
    .digest('hex')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

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
  it('is its chunks, however it is cut on the way', async () => {
    const chunk = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), fc.integer({ min: 1, max: 50 }), async (chunks, size) => {
        const signed = decodeChunks(inPieces(encode(chunks, 'seed'), size), { seed: 'seed', sign })
        const unsigned = decodeChunks(inPieces(encode(chunks), size), undefined)
        expect([await collect(signed), await collect(unsigned)]).toEqual([
          chunks.join(''),
          chunks.join(''),
        ])
      }),
    )
  })

  it('may end in trailers', async () => {
    const body = '2\r\nab\r\n0\r\nx-amz-checksum-crc32:AAAA\r\nx-amz-trailer-signature:0\r\n\r\n'
    expect(await collect(decodeChunks(inPieces(body, 7), undefined))).toBe('ab')
  })

  it('with a chunk that was changed is refused', async () => {
    const body = encode(['one', 'two'], 'seed').replace('two', 'TWO')
    await expect(
      collect(decodeChunks(inPieces(body, 9), { seed: 'seed', sign })),
    ).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
  })

  it.each([['zz\r\n'], ['5\r\nab'], ['2\r\nabcd\r\n'], [''], ['x'.repeat(20_000)]])(
    '%j is refused',
    async (body) => {
      await expect(collect(decodeChunks(inPieces(body, 100), undefined))).rejects.toMatchObject({
        code: 'InvalidRequest',
      })
    },
  )
})

describe('a body with an announced hash', () => {
  it('passes when it matches and fails at its end when it does not', async () => {
    const read = (hash: string) => collect(matchingHash(inPieces('abc', 1), 'sha256', hash))
    expect(await read(hashOf('abc'))).toBe('abc')
    await expect(read(hashOf('abd'))).rejects.toMatchObject({ code: 'XAmzContentSHA256Mismatch' })
  })
})
