// Long values are shortened in the middle.
import { describe, expect, it } from 'vitest'
import { middleTruncate, splitForMiddle } from '../../../../renderer/ui/truncate.ts'

describe('middleTruncate', () => {
  it.each([
    ['short', 10, 'short'],
    ['abcdefghij', 10, 'abcdefghij'],
    ['abcdefghijk', 5, 'ab…jk'],
    ['abcdefghijk', 6, 'abc…jk'],
    ['abc', 1, '…'],
  ])('shows %s within %i characters as %s', (text, limit, shown) => {
    expect(middleTruncate(text, limit)).toBe(shown)
  })

  it('cuts no character in two', () => {
    expect(middleTruncate('😀😀😀😀', 3)).toBe('😀…😀')
  })
})

describe('splitForMiddle', () => {
  it('returns the end of a long value separately', () => {
    expect(splitForMiddle('0197c2f4-7b1e-7c44', 4)).toEqual(['0197c2f4-7b1e-', '7c44'])
  })

  it('does not split a short value', () => {
    expect(splitForMiddle('abcdef', 4)).toEqual(['abcdef', ''])
  })
})
