// The draft of a new tenant, and the address of the screen.
import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, readDraft } from '../../../../../renderer/features/tenants/provision-draft.ts'
import {
  parseTenantsSearch,
  withoutSheet,
} from '../../../../../renderer/features/tenants/tenants-search.ts'

describe('readDraft', () => {
  it('leaves out empty fields', () => {
    expect(readDraft({ ...EMPTY_DRAFT, slug: ' serra ' })).toEqual({
      kind: 'ready',
      order: { slug: 'serra' },
    })
  })

  it('accepts metadata that is an object', () => {
    expect(readDraft({ slug: 'serra', externalId: 'c-1', metadata: '{"beds": 4}' })).toEqual({
      kind: 'ready',
      order: { slug: 'serra', external_id: 'c-1', metadata: { beds: 4 } },
    })
  })

  it.each(['[]', '1', 'null', '{'])('refuses the metadata %s', (metadata) => {
    expect(readDraft({ ...EMPTY_DRAFT, slug: 'serra', metadata })).toEqual({
      kind: 'wrong',
      problems: { metadata: expect.any(String) },
    })
  })
})

describe('the address of groups and tenants', () => {
  it('drops unknown values', () => {
    expect(
      parseTenantsSearch({ group: 'g', sheet: 'nothing', project: 'aurora', part: 'overview' }),
    ).toEqual({ group: 'g', project: 'aurora' })
  })

  it('keeps group and words when a sheet closes', () => {
    const search = { group: 'g', q: 'a', project: 'aurora', part: 'auth', with: 'b' } as const
    expect(withoutSheet(search)).toEqual({ group: 'g', q: 'a' })
  })
})
