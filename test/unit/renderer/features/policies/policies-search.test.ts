// renderer/features/policies/policies-search.ts: the search parameters in the address.
import { describe, expect, it } from 'vitest'
import { parsePoliciesSearch } from '../../../../../renderer/features/policies/policies-search.ts'

describe('the address of the policies screen', () => {
  it('keeps view, identity, command, row and the values to write', () => {
    const search = {
      view: 'rows',
      as: 'anon',
      command: 'update',
      row: 'id:3',
      set: { name: 'x', phone: null },
    }
    expect(parsePoliciesSearch(search)).toEqual(search)
  })

  it('leaves out unknown parameters', () => {
    expect(
      parsePoliciesSearch({ view: 'rules', as: 'me', command: 'select', row: '', set: { a: 1 } }),
    ).toEqual({})
  })
})
