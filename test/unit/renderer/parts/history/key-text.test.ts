// The primary key of a row as the history of rows expects it.
import { describe, expect, it } from 'vitest'
import { historyKeyText } from '../../../../../renderer/parts/history/key-text.ts'

const structureOf = (names: readonly string[], definition: string) => ({
  columns: [...names.map((name) => ({ name, is_key: true })), { name: 'note', is_key: false }],
  indexes: [
    { constraint: null, definition: 'btree (note, b, a)' },
    { constraint: 'primary_key' as const, definition },
  ],
})

describe('historyKeyText', () => {
  it('is the value of a key with one column', () => {
    expect(historyKeyText({ id: '7' }, structureOf(['id'], 'btree (id)'))).toBe('7')
  })

  it('is an array in the order of the index for a key with several columns', () => {
    const structure = structureOf(['a', 'b', 'a, "b"'], 'btree ("a, ""b""", b, a)')
    expect(historyKeyText({ a: '1', b: '[2', 'a, "b"': '3' }, structure)).toBe('["3","[2","1"]')
  })

  it('is an array when the only value begins with a bracket', () => {
    expect(historyKeyText({ id: '[7' }, structureOf(['id'], 'btree (id)'))).toBe('["[7"]')
  })

  it('is absent without a primary key', () => {
    expect(historyKeyText({ note: 'a' }, structureOf([], 'btree (id)'))).toBeUndefined()
  })
})
