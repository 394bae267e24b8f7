import { type TenantFixtures, test } from 'tenantry/vitest'
import { describe, expect } from 'vitest'
import { book, connect, ownDays, roomsFor } from '../src/booking.ts'

type Tenant = TenantFixtures['tenant']
type AsUser = TenantFixtures['asUser']

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEA = '00000000-0000-4000-8000-00000000000b'

async function appOf({ url, anonKey, slug }: Tenant, asUser: AsUser, user: string) {
  const { fetch } = await asUser(user)
  return connect({ url, key: anonKey, project: slug, fetch })
}

async function roomIn(tenant: Tenant, name: string): Promise<number> {
  const [row] = await tenant.sql(
    `insert into rooms (name, seats) values ('${name}', 4) returning id`,
  )
  return Number(row?.['id'])
}

describe('booking', () => {
  test('books a free day only once', async ({ tenant, asUser }) => {
    const room = await roomIn(tenant, 'library')
    const [ana, bea] = [await appOf(tenant, asUser, ANA), await appOf(tenant, asUser, BEA)]
    expect(await book(ana, room, '2030-05-01')).toEqual({
      booked: { id: expect.any(Number), day: '2030-05-01' },
    })
    expect(await book(bea, room, '2030-05-01')).toEqual({ refused: 'taken' })
  })

  test('shows people their own bookings', async ({ tenant, asUser }) => {
    const room = await roomIn(tenant, 'garden')
    const [ana, bea] = [await appOf(tenant, asUser, ANA), await appOf(tenant, asUser, BEA)]
    await book(bea, room, '2030-06-01')
    expect(await ownDays(bea)).toEqual(['2030-06-01'])
    expect(await ownDays(ana)).not.toContain('2030-06-01')
  })

  test('lets visitors look for rooms, but not book them', async ({ tenant }) => {
    const visitor = connect({ url: tenant.url, key: tenant.anonKey, project: tenant.slug })
    const room = await roomIn(tenant, 'attic')
    expect(await roomsFor(visitor, 5)).toBe(0)
    expect(await roomsFor(visitor, 4)).toBeGreaterThan(0)
    expect(await book(visitor, room, '2030-07-01')).toEqual({ refused: 'not_allowed' })
  })
})
