// renderer/parts/row-key.ts: keys of rows as texts.
import { describe, expect, it } from 'vitest'
import {
  keyOfRow,
  parseRowKeyText,
  rowKeyLabel,
  rowKeyText,
} from '../../../../renderer/parts/row-key.ts'

describe('keys of rows', () => {
  it.each([
    [{ id: '3' }, 'id:3'],
    [{ invoice_id: '1', line: '2' }, 'invoice_id:1,line:2'],
    [{ name: 'a:b,c', empty: '', none: null }, 'name:a%3Ab%2Cc,empty:,none'],
  ])('convert %j to %s and back', (key, text) => {
    expect([rowKeyText(key), parseRowKeyText(text)]).toEqual([text, key])
  })

  it.each([undefined, '', 3, '%E0%A4%A'])('are not found in %j', (text) => {
    expect(parseRowKeyText(text)).toBeUndefined()
  })

  it('contain all columns when the table has no key', () => {
    const columns = [
      { name: 'a', is_key: false },
      { name: 'b', is_key: false },
    ]
    expect(keyOfRow({ a: '1', b: null }, columns)).toEqual({ a: '1', b: null })
  })

  it('label a row by the value of a single key column, or by the name and value of each key column', () => {
    expect([rowKeyLabel({ id: '3' }), rowKeyLabel({ a: '1', b: null })]).toEqual([
      '3',
      'a 1, b null',
    ])
  })
})
