import { describe, expect, it } from 'vitest'
import {
  identity,
  number,
  oneOf,
  rowKey,
  searchReader,
  text,
} from '../../../../renderer/parts/search.ts'

describe('parameters of an address', () => {
  it('can be text, even when the value looks like a number', () => {
    expect(['a', 42, true, '', null].map(text)).toEqual(['a', '42', 'true', undefined, undefined])
  })

  it('can be numbers, and other text is left out', () => {
    expect([7, '7', 'x', '', null].map(number)).toEqual([7, 7, undefined, undefined, undefined])
  })

  it('can be one of several words, and unknown words and the default are left out', () => {
    expect(['list', 'tiles', 'x'].map(oneOf(['list', 'tiles'], 'list'))).toEqual([
      undefined,
      'tiles',
      undefined,
    ])
  })

  it('can be identities and row keys, and invalid values are left out', () => {
    expect(['anon', 'user:a@b.test', 'nobody'].map(identity)).toEqual([
      'anon',
      'user:a@b.test',
      undefined,
    ])
    expect(['id:3', ''].map(rowKey)).toEqual(['id:3', undefined])
  })

  it('are left out when they are unknown or empty', () => {
    const read = searchReader<{ q?: string | undefined; page?: number | undefined }>({
      q: text,
      page: number,
    })
    const found = read({ q: '', page: '2', other: 1 })
    expect(Object.keys(found)).toEqual(['page'])
    expect(found).toEqual({ page: 2 })
  })
})
