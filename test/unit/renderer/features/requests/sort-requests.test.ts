import { describe, expect, it } from 'vitest'
import {
  gridSort,
  nextOrder,
  sortRequests,
} from '../../../../../renderer/features/requests/sort-requests.ts'
import { entryWith } from './journal-entry.ts'

const entries = [
  entryWith({ sequence: 3, duration_ms: 5, row_count: null }),
  entryWith({ sequence: 2, duration_ms: 900, row_count: 0 }),
  entryWith({ sequence: 1, duration_ms: 40, row_count: 7 }),
]

describe('the order of requests', () => {
  it.each([
    [undefined, [3, 2, 1]],
    ['oldest', [1, 2, 3]],
    ['slowest', [2, 1, 3]],
    ['fastest', [3, 1, 2]],
    ['most-rows', [1, 2, 3]],
    ['fewest-rows', [2, 1, 3]],
  ] as const)('can be: %s', (order, expected) => {
    expect(sortRequests(entries, order).map(({ sequence }) => sequence)).toEqual(expected)
  })

  it('changes with clicks on a header from descending to ascending to newest first', () => {
    expect(nextOrder(undefined, 'duration')).toBe('slowest')
    expect(nextOrder('slowest', 'duration')).toBe('fastest')
    expect(nextOrder('fastest', 'duration')).toBeUndefined()
    expect(nextOrder('slowest', 'rows')).toBe('most-rows')
    expect(nextOrder(undefined, 'time')).toBe('oldest')
  })

  it('is shown by an arrow in the header of the sorted column', () => {
    expect(gridSort('fastest')).toEqual({ column: 'duration', isDescending: false })
    expect(gridSort(undefined)).toEqual({ column: 'time', isDescending: true })
  })
})
