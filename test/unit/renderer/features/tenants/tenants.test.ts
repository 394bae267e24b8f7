// A tenant as it is ordered, and what the address of the screen holds.
import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, orderOf } from '../../../../../renderer/features/tenants/provision-draft.ts'
import {
  parseTenantsSearch,
  withoutSheet,
} from '../../../../../renderer/features/tenants/tenants-search.ts'

describe('orderOf', () => {
  it('leaves out what was not written', () => {
    expect(orderOf({ ...EMPTY_DRAFT, slug: ' serra ' })).toEqual({ slug: 'serra' })
  })

  it('takes metadata that is an object', () => {
    expect(orderOf({ slug: 'serra', externalId: 'c-1', metadata: '{"beds": 4}' })).toEqual({
      slug: 'serra',
      external_id: 'c-1',
      metadata: { beds: 4 },
    })
  })

  it.each(['[]', '1', 'null', '{'])('has no order for metadata %s', (metadata) => {
    expect(orderOf({ ...EMPTY_DRAFT, metadata })).toBeUndefined()
  })
})

describe('the address of groups and tenants', () => {
  it('leaves out what it does not know', () => {
    expect(
      parseTenantsSearch({ group: 'g', sheet: 'nothing', project: 'aurora', part: 'overview' }),
    ).toEqual({ group: 'g', project: 'aurora' })
  })

  it('keeps group and words when a sheet closes', () => {
    const search = { group: 'g', q: 'a', project: 'aurora', part: 'auth', with: 'b' } as const
    expect(withoutSheet(search)).toEqual({ group: 'g', q: 'a' })
  })
})
