// Reading a pasted credential, and the text about its expiry.
import { describe, expect, it } from 'vitest'
import {
  countdown,
  pastedCredential,
} from '../../../../../renderer/features/tokens/credential-text.ts'

describe('countdown', () => {
  it.each([
    [3_600_000, 'expires in 1 h'],
    [3_552_000, 'expires in 59 min 12 s'],
    [86_400_000 + 3_600_000, 'expires in 1 d 1 h'],
    [0, 'expired 0 s ago'],
    [-3_000, 'expired 3 s ago'],
  ])('for %i ms says "%s"', (millis, sentence) => {
    expect(countdown(1_000_000 + millis, 1_000_000).sentence).toBe(sentence)
  })
})

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
