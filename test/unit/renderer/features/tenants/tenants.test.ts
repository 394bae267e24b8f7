// The draft of a new tenant, and the address of the screen.
import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, readDraft } from '../../../../../renderer/features/tenants/provision-draft.ts'
import {
  parseTenantsSearch,
  withoutSheet,
} from '../../../../../renderer/features/tenants/tenants-search.ts'

const TAKEN = new Set(['aurora'])

describe('readDraft', () => {
  it.each([
    ['New Customer', 'for example new_customer.'],
    ['***', 'Use lowercase letters, digits and underscores.'],
    ['a'.repeat(45), 'at most 44 characters'],
    ['postgres', 'reserved'],
    ['aurora', 'taken'],
  ])('refuses the slug %s while the user types', (slug, words) => {
    expect(readDraft({ ...EMPTY_DRAFT, slug }, TAKEN)).toEqual({
      kind: 'wrong',
      problems: { slug: expect.stringContaining(words) },
    })
  })

  it('shows no problem for a slug that is not typed yet', () => {
    expect(readDraft(EMPTY_DRAFT, TAKEN)).toEqual({ kind: 'wrong', problems: {} })
  })

  it('leaves out empty fields', () => {
    expect(readDraft({ ...EMPTY_DRAFT, slug: ' serra ' }, TAKEN)).toEqual({
      kind: 'ready',
      order: { slug: 'serra' },
    })
  })

  it('accepts metadata that is an object', () => {
    expect(readDraft({ slug: 'serra', externalId: 'c-1', metadata: '{"beds": 4}' }, TAKEN)).toEqual(
      {
        kind: 'ready',
        order: { slug: 'serra', external_id: 'c-1', metadata: { beds: 4 } },
      },
    )
  })

  it.each(['[]', '1', 'null', '{'])('refuses the metadata %s', (metadata) => {
    expect(readDraft({ ...EMPTY_DRAFT, slug: 'serra', metadata }, TAKEN)).toEqual({
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

  it('keeps the group and the search text when a sheet closes', () => {
    const search = { group: 'g', q: 'a', project: 'aurora', part: 'auth', with: 'b' } as const
    expect(withoutSheet(search)).toEqual({ group: 'g', q: 'a' })
  })
})
