import { describe, expect, it } from 'vitest'
import {
  createHashOf,
  expectationsIn,
  expectPayloadHash,
  matching,
} from '../../../../emulator/services/storage/s3/body/checksum.ts'

async function* inPieces(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}
async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of bytes) all.push(piece)
  return Buffer.concat(all).toString()
}

describe('a checksum', () => {
  // Check values of CRC-32/ISO-HDLC, CRC-32/ISCSI and CRC-64/NVME, and the checksums of an empty text.
  it.each([
    ['crc32', 'cbf43926', '00000000'],
    ['crc32c', 'e3069283', '00000000'],
    ['crc64nvme', 'ae8b14860a799888', '0000000000000000'],
  ] as const)('by %s is the same wherever the stream is split', (algorithm, check, none) => {
    const hexOf = (...pieces: readonly string[]) => {
      const hash = createHashOf(algorithm)
      for (const piece of pieces) hash.update(Buffer.from(piece))
      return hash.digest().toString('hex')
    }
    expect([hexOf('123456789'), hexOf('1', '', '2345678', '9'), hexOf()]).toEqual([
      check,
      check,
      none,
    ])
  })

  it.each([1, 7, 8, 9, 1_000])(
    'by CRC is the same when the stream arrives in pieces of %i bytes',
    (pieceBytes) => {
      const bytes = Buffer.from(Array.from({ length: 1_003 }, (_, n) => (n * 31) % 256))
      for (const algorithm of ['crc32c', 'crc64nvme'] as const) {
        const whole = createHashOf(algorithm)
        whole.update(bytes)
        const cut = createHashOf(algorithm)
        for (let at = 0; at < bytes.length; at += pieceBytes)
          cut.update(bytes.subarray(at, at + pieceBytes))
        expect(cut.digest()).toEqual(whole.digest())
      }
    },
  )

  it('is checked while bytes pass, and fails at the last byte when it does not match', async () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    const read = (...pieces: readonly string[]) =>
      collect(matching(inPieces(...pieces), [expectPayloadHash(hash)]))
    expect(await read('a', 'bc')).toBe('abc')
    await expect(read('abd')).rejects.toMatchObject({ code: 'XAmzContentSHA256Mismatch' })
  })

  it.each([
    [{ 'content-md5': 'x' }, 'InvalidDigest'],
    [{ 'x-amz-checksum-crc32': 'AAAA' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-crc32': 'y/Q5Jg==', 'x-amz-checksum-sha1': 'x' }, 'InvalidRequest'],
    [{ 'x-amz-checksum-xxhash64': 'AAAA' }, 'NotImplemented'],
  ])('given as %j is refused with %s', (headers, code) => {
    expect(() => expectationsIn(new Headers(Object.entries(headers)))).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it('is not read from a header that only requests a checksum', () => {
    const headers = { 'x-amz-checksum-mode': 'ENABLED', 'x-amz-checksum-type': 'FULL_OBJECT' }
    expect(expectationsIn(new Headers(headers))).toEqual([])
  })
})
