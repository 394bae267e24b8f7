// The facts and headings of the fleet: tenants behind the newest version, steps without a version, and steps to apply.
import { describe, expect, it } from 'vitest'
import type { Fleet, FleetTenant, FleetVersion } from '../../../../../emulator/contract/fleet.ts'
import { countFacts } from '../../../../../renderer/features/fleet/fleet-facts.ts'
import {
  shownTenants,
  stepColumns,
  whyNotApply,
} from '../../../../../renderer/features/fleet/fleet-model.ts'

type States = FleetTenant['steps']

const facts: FleetTenant['facts'] = {
  steps: { ran: 0, pending: 0, problem: null },
  differences: { state: 'checked', count: 0, compared_with: 'fixture' },
}

function tenant(
  slug: string,
  version: number,
  steps: States,
  more: Partial<FleetTenant> = {},
): FleetTenant {
  return {
    slug,
    external_id: null,
    template_version: version,
    state: 'up_to_date',
    steps,
    problem: null,
    compared_with: 'fixture',
    differences: 0,
    facts,
    rehearsal_failure: null,
    users: 0,
    size_bytes: 0,
    last_request_at: null,
    ...more,
  }
}

function version(number: number, steps: States): FleetVersion {
  const slug = number === 1 ? 'shop' : `shop_v${number}`
  return { slug, number, steps, problem: null, compared_with: null, differences: null, facts }
}

/** @param published version in which each step was published first */
function fleet(published: readonly (string | null)[], more: Partial<Fleet>): Fleet {
  return {
    group: { id: 'g', name: 'shop' },
    steps: published.map((slug, at) => ({
      version: `${at}`,
      name: `step${at}`,
      file: null,
      published_in: slug,
    })),
    steps_given_at: '2026-01-01T00:00:00Z',
    template: version(1, []),
    versions: [],
    tenants: [],
    unread: 0,
    ...more,
  }
}

describe('countFacts', () => {
  it('counts tenants behind the newest version apart from those with differences', () => {
    const tenants = [
      tenant('a', 1, []),
      tenant('b', 2, []),
      tenant('c', 1, [], { state: 'deleted' }),
    ]
    const counts = countFacts(fleet([], { versions: [version(2, [])], tenants }))
    expect(Object.fromEntries(counts)).toEqual({ none_pending: 2, behind: 1, same: 2 })
  })

  it('counts no tenant as behind before a version is published', () => {
    expect(countFacts(fleet([], { tenants: [tenant('a', 1, [])] })).get('behind')).toBeUndefined()
  })

  it('does not count a tenant that ran the steps of the newer versions', () => {
    const tenants = [
      tenant('ran', 1, ['applied', 'applied', null]),
      tenant('half', 1, ['applied', 'pending', null]),
      tenant('interrupted', 2, ['applied', 'interrupted', null]),
    ]
    const versions = [version(2, ['applied']), version(3, ['applied', 'applied'])]
    const all = fleet(['shop_v2', 'shop_v3', null], { versions, tenants })
    const behind = shownTenants(all, { facts: 'behind' }).map(({ slug }) => slug)
    expect(behind).toEqual(['half', 'interrupted'])
  })
})

describe('stepColumns', () => {
  const bands = (some: Fleet) => stepColumns(some).map(({ band }) => band)

  it('says of steps without a version whether they ran everywhere', () => {
    const states: States = ['applied', 'applied', 'applied', 'pending']
    const some = fleet(['shop_v2', null, null, null], {
      template: version(1, states),
      versions: [version(2, ['applied'])],
      tenants: [tenant('a', 1, states), tenant('gone', 1, [], { state: 'deleted' })],
    })
    expect(bands(some)).toEqual(['v2', 'ran everywhere', undefined, 'not published'])
  })

  it('does not say so while a tenant lacks the step', () => {
    const some = fleet([null], {
      template: version(1, ['applied']),
      tenants: [tenant('a', 1, ['pending'])],
    })
    expect(bands(some)).toEqual(['not published'])
  })
})

describe('whyNotApply', () => {
  const ran = tenant('ran', 1, ['applied'])
  const lacks = tenant('lacks', 1, ['pending'])
  const some = fleet([null], { template: version(1, ['applied']), tenants: [ran, lacks] })

  it('gives no reason while a selected tenant lacks a step', () => {
    expect(whyNotApply(some, [ran, lacks])).toBeUndefined()
  })

  it('gives no reason while the template lacks a step', () => {
    expect(whyNotApply({ ...some, template: version(1, ['pending']) }, [])).toBeUndefined()
  })

  it('asks to select tenants with pending steps, or says that no step is pending', () => {
    expect(whyNotApply(some, [])).toMatch(/Select tenants that have pending steps\.$/)
    expect(whyNotApply({ ...some, tenants: [ran] }, [ran])).toBe(
      'No step is pending in the template or a tenant.',
    )
  })
})
