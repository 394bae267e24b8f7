// FIPS 180-4, compared with the platform's own implementation.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../../../client/auth/sha256.ts'

it('gives the digest of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const expected = createHash('sha256').update(bytes).digest('hex')
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(expected)
    }),
  )
})

it('pads at the edges of a block', () => {
  for (const length of [0, 55, 56, 63, 64, 119, 120, 1_000_000]) {
    const bytes = new Uint8Array(length).fill(97)
    const expected = createHash('sha256').update(bytes).digest('hex')
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(expected)
  }
})
