import { describe, expect, it } from 'vitest'
import { pastedCredential } from '../../../../../renderer/features/tokens/token-words.ts'

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
