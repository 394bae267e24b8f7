import { createTest } from 'tenantry/vitest'
import { expect } from 'vitest'

const test = createTest({ scope: 'test' })
const seen = new Set<string>()

test.for([1, 2, 3, 4, 5])('test %i gets a tenant of its own', async (_, { tenant }) => {
  expect(seen).not.toContain(tenant.slug)
  seen.add(tenant.slug)
  expect(await tenant.sql('select count(*) from notes')).toEqual([{ count: '0' }])
  await tenant.sql("insert into notes (marker) values ('left behind')")
})
