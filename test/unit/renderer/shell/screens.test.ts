import { expect, it } from 'vitest'
import { SCREENS } from '../../../../renderer/shell/screens.tsx'

it('each screen has a different shortcut letter', () => {
  const letters = SCREENS.map(({ letter }) => letter)
  expect(new Set(letters).size).toBe(letters.length)
})
