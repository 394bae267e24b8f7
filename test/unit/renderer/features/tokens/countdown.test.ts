import { describe, expect, it } from 'vitest'
import { countdown } from '../../../../../renderer/features/tokens/countdown.ts'

describe('countdown', () => {
  it.each([
    [3_600_000, 'expires in 1 h'],
    [3_552_000, 'expires in 59 min 12 s'],
    [86_400_000 + 3_600_000, 'expires in 1 d 1 h'],
    [0, 'expired 0 s ago'],
    [-3_000, 'expired 3 s ago'],
  ])('says of %i ms that it %s', (millis, sentence) => {
    expect(countdown(1_000_000 + millis, 1_000_000).sentence).toBe(sentence)
  })
})
