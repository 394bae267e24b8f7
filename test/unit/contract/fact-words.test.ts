import { expect, it } from 'vitest'
import { differencesFromText } from '../../../emulator/contract/fact-words.ts'

it.each([
  [0, 'steps', 'no differences from its steps'],
  [1, 'fixture', '1 difference from the fixture'],
  [2, 'shop_v2', '2 differences from shop_v2'],
  [0, null, 'no differences'],
])('%s differences from %s read as such', (count, reference, text) => {
  expect(differencesFromText({ state: 'checked', count, compared_with: reference })).toBe(text)
})

it('a structure that was not compared has no reference', () => {
  expect(differencesFromText({ state: 'not_checked', count: null, compared_with: null })).toBe(
    'not checked yet',
  )
})
