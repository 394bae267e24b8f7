import { describe, expect, it } from 'vitest'
import {
  contentTypeOf,
  nameOf,
  parseAccept,
  parseMediaType,
} from '../../../../emulator/data/request/media-type.ts'

describe('media type', () => {
  it.each([
    ['application/json', { kind: 'json' }],
    ['Application/Vnd.Pgrst.Object+json', { kind: 'object', isStripped: false }],
    ['application/vnd.pgrst.object+json; nulls=stripped', { kind: 'object', isStripped: true }],
    ['application/vnd.pgrst.array+json;nulls=stripped', { kind: 'strippedArray' }],
    ['application/vnd.pgrst.array', { kind: 'json' }],
    ['image/png', { kind: 'other', name: 'image/png' }],
    ['nonsense', { kind: 'other', name: 'nonsense' }],
    ['constructor/x', { kind: 'other', name: 'constructor/x' }],
    [
      'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal',
      { kind: 'plan', of: { kind: 'csv' }, format: 'json', options: ['analyze', 'wal'] },
    ],
  ])('reads %s', (text, expected) => {
    expect(parseMediaType(text)).toEqual(expected)
  })

  it('says its charset unless it is binary', () => {
    expect(contentTypeOf({ kind: 'csv' })).toBe('text/csv; charset=utf-8')
    expect(contentTypeOf({ kind: 'octetStream' })).toBe('application/octet-stream')
  })
})

describe('Accept', () => {
  it('orders by weight, then by place', () => {
    expect(parseAccept('text/csv;q=0.5, */*;q=0.1, application/json').map(nameOf)).toEqual([
      'application/json',
      'text/csv',
      '*/*',
    ])
  })

  it('keeps a comma between quotes', () => {
    expect(parseAccept('application/vnd.pgrst.plan; for="a,b"')).toHaveLength(1)
  })

  it('takes anything when there is none', () => {
    expect(parseAccept(null)).toEqual([{ kind: 'any' }])
  })
})
