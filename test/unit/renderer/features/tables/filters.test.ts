// renderer/features/tables/filters.ts and tables-search.ts: the search parameters in the address.
import { describe, expect, it } from 'vitest'
import {
  filterText,
  fitSelection,
  nextOrder,
  operatorsFor,
  orderText,
  parseFilterText,
  parseOrderText,
} from '../../../../../renderer/features/tables/filters.ts'
import { parseTablesSearch } from '../../../../../renderer/features/tables/tables-search.ts'

describe('filters in an address', () => {
  it.each([
    [{ column: 'name', operator: 'ilike', value: 'a.b%' }, 'name.ilike.a.b%'],
    [{ column: 'a.b', operator: 'eq', value: '' }, 'a%2Eb.eq.'],
    [{ column: 'room_id', operator: 'is_null' }, 'room_id.is_null'],
  ] as const)('convert %j to %s and back', (filter, text) => {
    expect([filterText(filter), parseFilterText(text)]).toEqual([text, filter])
  })

  it.each(['name', 'name.almost.1', 'name.eq', '.eq.1', 4])('are not found in %j', (text) => {
    expect(parseFilterText(text)).toBeUndefined()
  })

  it('have only operators that fit the type of the column', () => {
    expect([operatorsFor('boolean'), operatorsFor('text')[2]]).toEqual([
      ['eq', 'neq', 'is_null', 'is_not_null'],
      'ilike',
    ])
  })
})

describe('sort orders', () => {
  it('change from ascending to descending to none, and start as ascending on another column', () => {
    const rising = nextOrder(undefined, 'id')
    const falling = nextOrder(rising, 'id')
    expect([rising, falling, nextOrder(falling, 'id'), nextOrder(falling, 'name')]).toEqual([
      { column: 'id', descending: false },
      { column: 'id', descending: true },
      undefined,
      { column: 'name', descending: false },
    ])
  })

  it('are read from an address', () => {
    const order = { column: 'starts_at', descending: true }
    expect([orderText(order), parseOrderText('starts_at.desc'), parseOrderText('x.up')]).toEqual([
      'starts_at.desc',
      order,
      undefined,
    ])
  })
})

describe('filters and a sort order of a table', () => {
  const rooms = { name: 'rooms', columns: [{ name: 'id' }, { name: 'level' }] }
  const onFloor = { column: 'floor', operator: 'eq', value: '1' } as const
  const onLevel = { column: 'level', operator: 'eq', value: '2' } as const
  const byFloor = { column: 'floor', descending: false }

  it('stay when the table has their columns', () => {
    const known = { filters: [onLevel], order: { column: 'id', descending: true } }
    expect(fitSelection(known, rooms)).toEqual({ ...known, removed: undefined })
  })

  it.each([
    [[onLevel], byFloor, 'The sort by floor was'],
    [[onFloor, onLevel, onFloor], undefined, 'The filter on floor was'],
    [[onLevel, onFloor], byFloor, 'The sort by floor and the filter on floor were'],
  ])('are removed with a sentence when a column is gone', (filters, order, subject) => {
    expect(fitSelection({ filters, order }, rooms)).toEqual({
      filters: [onLevel].filter((one) => filters.includes(one)),
      order: undefined,
      removed: `${subject} removed, because rooms has no such column.`,
    })
  })
})

describe('the address of the tables screen', () => {
  it('keeps known parameters and leaves out others', () => {
    expect(
      parseTablesSearch({
        as: 'user:ana@patients.test',
        where: ['name.ilike.a%', 'nonsense'],
        sort: 'id.desc',
        row: 'id:3',
        show: 'why',
        hidden: 'perhaps',
        other: 1,
      }),
    ).toEqual({
      as: 'user:ana@patients.test',
      where: ['name.ilike.a%'],
      sort: 'id.desc',
      row: 'id:3',
      show: 'why',
    })
  })
})
