// renderer/features/tables: kinds of cells, widths of columns, the keyboard's place in the grid.
import { describe, expect, it } from 'vitest'
import {
  columnWidths,
  parseKeptWidths,
} from '../../../../../renderer/features/tables/column-widths.ts'
import {
  displayText,
  editableText,
  kindOfType,
  problemOf,
} from '../../../../../renderer/parts/cell-kind.ts'
import { moveCursor } from '../../../../../renderer/parts/grid-cursor.ts'

describe('kinds of cells', () => {
  it.each([
    ['bigint', 'number'],
    ['numeric(10,2)', 'number'],
    ['text[]', 'array'],
    ['timestamp with time zone', 'timestamp'],
    ['time without time zone', 'time'],
    ['boolean', 'boolean'],
    ['jsonb', 'json'],
    ['interval', 'text'],
    ['cents', 'text'],
  ])('takes %s for %s', (type, kind) => {
    expect(kindOfType(type, null)).toBe(kind)
  })

  it.each([
    ['number', '1e3', true],
    ['number', 'one', false],
    ['uuid', '3f0c2a4e-0000-4000-8000-000000000000', true],
    ['uuid', '3f0c', false],
    ['json', '{"a":', false],
    ['date', '2026-03-02', true],
    ['date', 'tomorrow', false],
    ['array', '{a,b}', true],
    ['array', 'a,b', false],
    ['text', 'anything', true],
  ] as const)('accepts for %s the text %s: %s', (kind, text, isFine) => {
    expect(problemOf(kind, text) === undefined).toBe(isFine)
  })

  it('lays JSON out for editing and calls Postgres’s booleans by name', () => {
    expect([editableText('json', '{"a":1}'), displayText('boolean', 't')]).toEqual([
      '{\n  "a": 1\n}',
      'true',
    ])
  })

  it('shows line breaks in one line', () => {
    expect(displayText('text', 'a\n  b')).toBe('a ⏎ b')
  })
})

describe('widths of columns', () => {
  it('follow the type until they are kept, within reason', () => {
    const columns = [
      { name: 'id', type: 'bigint' },
      { name: 'name', type: 'text' },
      { name: 'on', type: 'boolean' },
    ]
    expect(columnWidths(columns, { name: 300, on: 2 })).toEqual({ id: 114, name: 300, on: 56 })
  })

  it.each([null, 'x', '[]', '7', '{"a":"b"}'])('reads no width from %j', (text) => {
    expect(parseKeptWidths(text)).toEqual({})
  })
})

describe('the keyboard’s place', () => {
  const size = { rows: 10, columns: 3, page: 4 }
  it.each([
    ['ArrowDown', false, { row: 6, column: 1 }],
    ['ArrowDown', true, { row: 9, column: 1 }],
    ['PageUp', false, { row: 1, column: 1 }],
    ['End', false, { row: 5, column: 2 }],
    ['Home', true, { row: 0, column: 0 }],
    ['Enter', false, undefined],
  ])('moves by %s (with Ctrl: %s)', (key, isWhole, place) => {
    expect(moveCursor({ row: 5, column: 1 }, key, size, isWhole)).toEqual(place)
  })
})
