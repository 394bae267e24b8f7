import { expect, it } from 'vitest'
import { SCREENS } from '../../../../renderer/shell/screens.tsx'

it('gives each screen a different letter', () => {
  const letters = SCREENS.map(({ letter }) => letter)
  expect(new Set(letters).size).toBe(letters.length)
})
