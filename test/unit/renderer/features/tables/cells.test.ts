// renderer/features/tables: kinds of cells, widths of columns, the keyboard cursor in the grid.
import { describe, expect, it } from 'vitest'
import {
  displayText,
  editableText,
  kindOfType,
  problemOf,
} from '../../../../../renderer/parts/cell-kind.ts'
import { widthOf } from '../../../../../renderer/parts/column-widths.ts'

describe('table cells', () => {
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
  ])('with the type %s have the kind %s', (type, kind) => {
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
  ] as const)('with the kind %s accept the text %s: %s', (kind, text, isFine) => {
    expect(problemOf(kind, text) === undefined).toBe(isFine)
  })

  it('format JSON for editing, and show the boolean t as true', () => {
    expect([editableText('json', '{"a":1}'), displayText('boolean', 't')]).toEqual([
      '{\n  "a": 1\n}',
      'true',
    ])
  })

  it('show a line break as ⏎ in one line', () => {
    expect(displayText('text', 'a\n  b')).toBe('a ⏎ b')
  })
})

describe('widths of columns', () => {
  it.each([
    ['id', 'bigint', 3, 66],
    ['name', 'text', 12, 116],
    ['name', 'text', 900, 320],
    ['name', 'text', undefined, 180],
    ['a_name_of_a_column_that_is_very_long', 'text', 1, 312],
  ])('follow header and content: %s %s with %s characters', (name, type, longest, width) => {
    expect(widthOf({ name, type, choices: null, marks: 0 }, longest)).toBe(width)
  })
})
