import { describe, expect, it } from 'vitest'
import { partsOf, pastedCredential } from '../../../../../renderer/features/tokens/token-words.ts'

describe('pastedCredential', () => {
  it.each([
    ['Bearer abc.def.ghi', 'abc.def.ghi'],
    ['  authorization: bearer abc.def.ghi\n', 'abc.def.ghi'],
    ['"sdb_gk_x",', 'sdb_gk_x'],
    ['abc.\n  def.ghi', 'abc.def.ghi'],
    ['apikey: k', 'k'],
  ])('finds the credential in %j', (text, credential) => {
    expect(pastedCredential(text)).toBe(credential)
  })
})

describe('partsOf', () => {
  it('takes a JWT and a PASETO apart, and leaves an opaque key whole', () => {
    expect(partsOf('a.b.c')).toEqual(['a', 'b', 'c'])
    expect(partsOf('v4.public.payload')).toEqual(['v4', 'public', 'payload'])
    expect(partsOf('sdb_gk_x')).toEqual(['sdb_gk_x'])
  })
})
