import { describe, expect, it } from 'vitest'
import { drawCode } from '../../../../emulator/services/auth/one-time-codes/six-digit-codes.ts'

describe('drawCode', () => {
  it.each([
    [0, '000000'],
    [1, '000001'],
    [999_999, '999999'],
    [1_000_000, '000000'],
    [2 ** 48 - 1, '710655'],
  ])('returns a six-digit code for the random number %d', (number, code) => {
    const bytes = Buffer.alloc(6)
    bytes.writeUIntBE(number, 0, 6)
    expect(drawCode(bytes)).toBe(code)
  })
})
