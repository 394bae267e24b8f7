import { describe, expect, it } from 'vitest'
import {
  contentTypeOf,
  nameOf,
  parseAccept,
  parseMediaType,
} from '../../../../emulator/services/data/request/media-type.ts'

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

  it('has a charset unless it is binary', () => {
    expect(contentTypeOf({ kind: 'csv' })).toBe('text/csv; charset=utf-8')
    expect(contentTypeOf({ kind: 'octetStream' })).toBe('application/octet-stream')
  })
})

describe('Accept', () => {
  it('orders media types by weight', () => {
    expect(parseAccept('text/csv;q=0.5, */*;q=0.1, application/json').map(nameOf)).toEqual([
      'application/json',
      'text/csv',
      '*/*',
    ])
  })

  it('prefers specific types to wildcards', () => {
    const header = '*/*, text/*, text/csv, application/vnd.pgrst.object;nulls=stripped'
    expect(parseAccept(header).map(nameOf)).toEqual([
      'application/vnd.pgrst.object+json;nulls=stripped',
      'text/csv',
      'text/*',
      '*/*',
    ])
  })

  it.each([
    ['text/csv; q=0.5; x=1, text/xml', ['text/xml', 'text/csv']],
    ['text/csv;q=0.5;for="a", text/xml;q=0.4', ['text/csv', 'text/xml']],
    ['text/csv;q=.5, text/xml;q=0.9', ['text/csv', 'text/xml']],
    ['text/csv;Q=0.5, text/xml', ['text/csv', 'text/xml']],
    ['a/b;c=d e, ', ['a/b;c=de', '']],
    [
      'application/vnd.pgrst.plan;for="text/csv,x"',
      ['application/vnd.pgrst.plan+text; for="application/json"', 'x"'],
    ],
    ['', []],
  ])('reads %s', (header, names) => {
    expect(parseAccept(header).map(nameOf)).toEqual(names)
  })

  it('accepts every type without a header', () => {
    expect(parseAccept(null)).toEqual([{ kind: 'any' }])
  })
})
