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
  it('reads texts, also those that look like numbers', () => {
    expect(['a', 42, true, '', null].map(text)).toEqual(['a', '42', 'true', undefined, undefined])
  })

  it('reads finite numbers only', () => {
    expect([7, '7', 'x', '', null].map(number)).toEqual([7, 7, undefined, undefined, undefined])
  })

  it('reads known words and leaves out the default', () => {
    expect(['list', 'tiles', 'x'].map(oneOf(['list', 'tiles'], 'list'))).toEqual([
      undefined,
      'tiles',
      undefined,
    ])
  })

  it('reads identities and keys of rows, and writes each in one form', () => {
    expect(['anon', 'user:a@b.test', 'nobody'].map(identity)).toEqual([
      'anon',
      'user:a@b.test',
      undefined,
    ])
    expect(['id:3', ''].map(rowKey)).toEqual(['id:3', undefined])
  })

  it('leaves out unknown parameters and those without a value', () => {
    const read = searchReader<{ q?: string | undefined; page?: number | undefined }>({
      q: text,
      page: number,
    })
    const found = read({ q: '', page: '2', other: 1 })
    expect(Object.keys(found)).toEqual(['page'])
    expect(found).toEqual({ page: 2 })
  })
})
