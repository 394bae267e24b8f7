import { createEmulatorTest } from 'tenantry/vitest'
import { expect } from 'vitest'

const test = createEmulatorTest({ frozenAt: '2030-01-01T09:00:00Z' })

test('a user’s token expires after an hour', async ({ asUser, clock, tenant }) => {
  await tenant.sql(
    'create table notes (id integer primary key); grant select on notes to authenticated',
  )
  const ana = await asUser()
  expect((await ana.fetch('/notes')).status).toBe(200)
  clock.advance(3_601_000)
  expect((await ana.fetch('/notes')).status).toBe(401)
  expect(await tenant.sql('select now()::timestamp::text as now')).toEqual([
    { now: '2030-01-01 10:00:01' },
  ])
})
