import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signDeterministic } from '../../../emulator/platform/credentials/deterministic-signature.ts'

/** The private key of the examples in RFC 6979, A.2.5. */
const KEY = Buffer.from('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721', 'hex')

describe('signDeterministic', () => {
  it.each([
    [
      'sample',
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
      'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    ],
    [
      'test',
      'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
      '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    ],
  ])('returns the signature that RFC 6979, A.2.5, lists for %j', (message, r, s) => {
    expect(signDeterministic(message, KEY).toString('hex')).toBe(r + s)
  })

  it('makes signatures that OpenSSL accepts', () => {
    for (let round = 0; round < 50; round += 1) {
      const scalar = randomBytes(32)
      const message = scalar.toString('hex')
      const signature = signDeterministic(message, scalar)
      const options = { key: publicKeyOf(scalar), dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha256', Buffer.from(message), options, signature)).toBe(true)
    }
  })
})

function publicKeyOf(scalar: Buffer) {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}
