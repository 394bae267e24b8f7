// renderer/features/tables/import-preview.ts: the preview of a file.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatOf,
  parseCsv,
  previewImport,
} from '../../../../../renderer/features/tables/import-preview.ts'

const COLUMNS = [
  { name: 'id', is_nullable: false, default: 'nextval', is_generated: false },
  { name: 'name', is_nullable: false, default: null, is_generated: false },
  { name: 'phone', is_nullable: true, default: null, is_generated: false },
]

describe('parseCsv', () => {
  it('reads quotes, commas and line breaks within fields', () => {
    expect(parseCsv('\uFEFFa,b\r\n"x, ""y""","1\n2"\n,\n')).toEqual([
      ['a', 'b'],
      ['x, "y"', '1\n2'],
      ['', ''],
    ])
  })

  it('reads back any quoted text', () => {
    const field = fc.string()
    const records = fc.array(fc.tuple(field, field), { minLength: 1 })
    fc.assert(
      fc.property(records, (rows) => {
        const text = rows
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join('\n')
        expect(parseCsv(text)).toEqual(rows)
      }),
    )
  })
})

describe('the preview of an import', () => {
  it('lists unknown columns and missing required columns', () => {
    const preview = previewImport('id,colour\n1,red\n2,blue\n', 'csv', COLUMNS, 1)
    expect(preview).toMatchObject({
      rows: 2,
      columns: ['id'],
      unknown: ['colour'],
      missing: ['name'],
      sample: [['1', 'red']],
    })
  })

  it('uses the members of all objects as columns', () => {
    const preview = previewImport('[{"name":"a"},{"phone":null,"tags":[1]}]', 'json', COLUMNS)
    expect([preview.header, preview.sample]).toEqual([
      ['name', 'phone', 'tags'],
      [
        ['a', null, null],
        [null, null, '[1]'],
      ],
    ])
  })

  it.each([
    ['{"a":', 'json'],
    ['[1,2]', 'json'],
    ['', 'csv'],
    ['a,"b', 'csv'],
  ] as const)('says why %j cannot be read', (text, format) => {
    expect(previewImport(text, format, COLUMNS).problem).toBeTypeOf('string')
  })

  it.each([
    ['rows.json', 'a', 'json'],
    ['rows.csv', '[', 'csv'],
    ['rows.txt', ' [{}]', 'json'],
    ['rows.txt', 'a,b', 'csv'],
  ])('reads %s with %j as %s', (name, text, format) => {
    expect(formatOf(name, text)).toBe(format)
  })
})
