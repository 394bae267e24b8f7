// Column widths of a grid, and the keys that move its cursor.
import { describe, expect, it } from 'vitest'
import { fittingColumns, grownColumns, templateOf } from '../../../../renderer/ui/grid-columns.ts'
import { moveCursor } from '../../../../renderer/ui/grid-cursor.ts'

describe('widths of columns', () => {
  it('give the remaining space to a column without a width', () => {
    expect(templateOf([{ id: 'a', width: 80 }, { id: 'b' }], {}, false)).toBe(
      '80px minmax(120px, 1fr)',
    )
  })

  it('are the widths that the user chose, within limits', () => {
    const columns = [
      { id: 'a', width: 80, min: 60 },
      { id: 'b', width: 80 },
    ]
    expect(templateOf(columns, { a: 10, b: 4_000 }, false)).toBe('60px 900px 1fr')
  })

  it('begin with the column of checkboxes', () => {
    expect(templateOf([{ id: 'a' }], {}, true)).toBe('36px minmax(120px, 1fr)')
  })
})

describe('columns that can grow', () => {
  const columns = [
    { id: 'id', width: 100, most: 300 },
    { id: 'note', width: 100, most: 400 },
    { id: 'made', width: 100 },
  ]
  it.each([
    ['grow up to their maximum, the first column first', 600, {}, [300, 200, 100]],
    ['keep their widths without free space', 300, {}, [100, 100, 100]],
    ['keep a width that the user chose', 700, { id: 50 }, [100, 400, 100]],
  ] as const)('%s', (_title, room, widths, expected) => {
    expect(grownColumns(columns, widths, room).map(({ width }) => width)).toEqual(expected)
  })
})

describe('columns of a narrow grid', () => {
  const columns = [
    { id: 'name', min: 200 },
    { id: 'size', width: 80, leaves: 1 },
    { id: 'kind', width: 100, leaves: 2 },
  ]
  const idsIn = (room: number, widths = {}) =>
    fittingColumns(columns, widths, room).map(({ id }) => id)

  it.each([
    [380, ['name', 'size', 'kind']],
    [379, ['name', 'size']],
    [280, ['name', 'size']],
    [279, ['name']],
    [100, ['name']],
  ])('in %i px are %j', (room, ids) => {
    expect(idsIn(room)).toEqual(ids)
  })

  it('disappear earlier when the user widens another column', () => {
    expect(idsIn(380, { size: 120 })).toEqual(['name', 'size'])
  })
})

describe('the cursor over rows', () => {
  it.each([
    ['j', 0, 1],
    ['ArrowDown', -1, 0],
    ['k', 0, 0],
    ['End', 2, 9],
    ['Home', 5, 0],
    ['PageDown', 8, 9],
    ['PageUp', 5, 1],
    ['ArrowRight', 5, undefined],
    ['x', 5, undefined],
  ])('with key %s moves from row %i to %s', (key, from, to) => {
    const size = { rows: 10, columns: 0, page: 4 }
    expect(moveCursor({ row: from, column: 0 }, key, size, false)?.row).toBe(to)
  })

  it('does not move in an empty list', () => {
    const size = { rows: 0, columns: 0, page: 4 }
    expect(moveCursor({ row: -1, column: 0 }, 'j', size, false)).toBeUndefined()
  })
})

describe('the cursor over cells', () => {
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
