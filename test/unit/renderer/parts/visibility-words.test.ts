import { describe, expect, it } from 'vitest'
import { visibilityWords } from '../../../../renderer/parts/visibility-words.ts'

describe('the words for changed visibility', () => {
  it.each([
    [true, 2, 0, 'ana sees 2 more rows'],
    [true, 1, 1, 'ana sees 1 more row and no longer sees 1 row'],
    [false, 1, 0, 'ana sees 1 more row'],
    [
      false,
      1,
      2,
      'ana sees other rows: 1 row new or changed, 2 rows gone or changed. The rows have no key, so they cannot be matched.',
    ],
  ])('with a key (%s) for %i gained and %i lost rows', (hasKey, gained, lost, words) => {
    expect(visibilityWords({ identity: 'ana', has_key: hasKey, gained, lost })).toBe(words)
  })
})
