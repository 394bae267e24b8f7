import { describe, expect, it } from 'vitest'
import {
  chosenOf,
  hasFilters,
  parseRequestsSearch,
  withoutFilters,
  withToggled,
} from '../../../../../renderer/features/requests/requests-search.ts'

describe('parseRequestsSearch', () => {
  it('reads known values and leaves out the rest', () => {
    expect(
      parseRequestsSearch({ q: 42, status: '4xx', tenant: '', part: 'sql', other: 1 }),
    ).toEqual({ q: '42', status: '4xx', part: 'sql' })
  })
})

describe('withToggled', () => {
  it('selects a value, then a second, then deselects the first', () => {
    const one = withToggled({}, 'service', 'rest')
    const two = withToggled(one, 'service', 'auth')
    expect([...chosenOf(two, 'service')]).toEqual(['rest', 'auth'])
    expect(withToggled(two, 'service', 'rest')).toEqual({ service: 'auth' })
  })

  it('removes a facet without values', () => {
    expect(withToggled({ method: 'GET' }, 'method', 'GET')).toEqual({})
  })
})

describe('withoutFilters', () => {
  it('removes all filters, and keeps the open part of the sheet', () => {
    const search = { q: 'x', status: '4xx', part: 'sql' } as const
    expect(hasFilters(search)).toBe(true)
    expect(withoutFilters(search)).toEqual({ part: 'sql' })
    expect(hasFilters(withoutFilters(search))).toBe(false)
  })
})
