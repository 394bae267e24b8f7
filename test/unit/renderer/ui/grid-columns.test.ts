// Widths and keys of a grid.
import { describe, expect, it } from 'vitest'
import { nextIndex, templateOf } from '../../../../renderer/ui/grid-columns.ts'

describe('templateOf', () => {
  it('lets a column without a width take what is left', () => {
    expect(templateOf([{ id: 'a', width: 80 }, { id: 'b' }], {})).toBe('80px minmax(120px, 1fr)')
  })

  it('prefers the width that was chosen, not under the least', () => {
    expect(templateOf([{ id: 'a', width: 80, min: 60 }], { a: 10 })).toBe('60px 1fr')
  })
})

describe('nextIndex', () => {
  it.each([
    ['j', 0, 1],
    ['ArrowDown', -1, 0],
    ['k', 0, 0],
    ['End', 2, 9],
    ['Home', 5, 0],
    ['PageDown', 8, 9],
    ['PageUp', 5, 1],
    ['x', 5, undefined],
  ])('%s from %i goes to %s', (key, from, to) => {
    expect(nextIndex(key, from, 10, 4)).toBe(to)
  })

  it('goes nowhere in an empty list', () => {
    expect(nextIndex('j', -1, 0, 4)).toBeUndefined()
  })
})
