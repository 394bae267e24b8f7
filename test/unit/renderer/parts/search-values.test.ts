// Any text may stand in an address.
import { describe, expect, it } from 'vitest'
import {
  choiceIn,
  compact,
  flagIn,
  listIn,
  numberIn,
  textIn,
} from '../../../../renderer/parts/search-values.ts'

describe('search values', () => {
  it('reads texts, also those that look like numbers', () => {
    expect([textIn({ q: 'a' }, 'q'), textIn({ q: 42 }, 'q'), textIn({ q: '' }, 'q')]).toEqual([
      'a',
      '42',
      undefined,
    ])
  })

  it('reads finite numbers only', () => {
    expect([7, '7', 'x', '', null].map((n) => numberIn({ n }, 'n'))).toEqual([
      7,
      7,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('reads flags that are set', () => {
    expect([true, 'true', false, 'no'].map((on) => flagIn({ on }, 'on'))).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
  })

  it('reads one of the words it knows', () => {
    expect([choiceIn({ v: 'list' }, 'v', ['list']), choiceIn({ v: 'x' }, 'v', ['list'])]).toEqual([
      'list',
      undefined,
    ])
  })

  it('reads lists, also of one', () => {
    expect([listIn({ s: ['a', 1, ''] }, 's'), listIn({ s: 'b' }, 's'), listIn({}, 's')]).toEqual([
      ['a'],
      ['b'],
      undefined,
    ])
  })

  it('leaves out what is absent', () => {
    expect(compact({ q: undefined, page: 2 })).toEqual({ page: 2 })
  })
})
