import { describe, expect, it } from 'vitest'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { enrolTotp, stepOfCode } from '../../../../emulator/services/auth/mfa/totp.ts'

// The SHA-1 test vectors of RFC 6238 appendix B, with the last six of the eight digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const AT = epochMillis(1_111_111_109_000)
const STEP = 0x23523ec

describe('stepOfCode', () => {
  it.each([
    [59, 1, '287082'],
    [1_111_111_109, STEP, '081804'],
    [20_000_000_000, 0x27bc86aa, '353130'],
  ])('accepts the code for the Unix time %i', (second, step, code) => {
    expect(stepOfCode(SECRET, code, epochMillis(second * 1_000))).toBe(step)
  })

  it.each([
    [-30_000, STEP],
    [30_000, STEP],
  ])('accepts the code of a clock that differs by %i ms', (millis, step) => {
    expect(stepOfCode(SECRET, '081804', epochMillis(AT + millis))).toBe(step)
  })

  it.each([-60_000, 60_000])('refuses the code of a clock that differs by %i ms', (millis) => {
    expect(stepOfCode(SECRET, '081804', epochMillis(AT + millis))).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['five digits', '81804'],
    ['seven digits', '0818040'],
    ['a letter', '08180a'],
    ['a line break', '081804\n'],
    ['digits of another script', '０８１８０４'],
    ['letters beyond ASCII', 'é'.repeat(6)],
    ['10,000 digits', '0'.repeat(10_000)],
  ])('does not accept %s as a code', (_, code) => {
    expect(stepOfCode(SECRET, code, AT)).toBeUndefined()
  })

  it.each([-1e12, -1, 0, 1e15])('does not fail for the platform time %d', (instant) => {
    expect(() => stepOfCode(SECRET, '081804', epochMillis(instant))).not.toThrow()
  })
})

describe('enrolTotp', () => {
  const bytes = new TextEncoder().encode('12345678901234567890')

  it('returns the secret in base32', () => {
    expect(enrolTotp(bytes, 'shop', 'a@example.com').secret).toBe(SECRET)
  })

  it('returns an otpauth address with issuer, label and secret', () => {
    const uri = new URL(enrolTotp(bytes, 'a: shop', 'a@example.com').uri)
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/a: shop:a@example.com',
    ])
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'a: shop',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })

  it.each([
    ['plain names', 'shop', 'a@example.com'],
    ['the longest names', '😀'.repeat(1_000), '😀'.repeat(1_000)],
    ['half a letter', 'shop \ud83d', '\ude00'],
  ])('gives the QR code as an SVG in a data URI, with %s', (_, issuer, label) => {
    const { qr } = enrolTotp(bytes, issuer, label)
    const [head, body] = qr.split(',')
    expect(head).toBe('data:image/svg+xml;base64')
    expect(Buffer.from(body ?? '', 'base64').toString()).toMatch(/^<svg[\s\S]*<\/svg>$/)
  })
})
