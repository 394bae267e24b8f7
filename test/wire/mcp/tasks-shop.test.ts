// Two tasks on the fixture `shop` that an agent solves by tools alone. All answers of a task together have at most 4 kB.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agentAt } from '../../support/agent.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const MAX_BYTES = 4_000

let at: TestEmulator
let agent: Agent
beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.applyFixture('fixtures/shop')
})
afterAll(() => at[Symbol.asyncDispose]())
beforeEach(async () => {
  agent = await agentAt(at.url, '?allow-writes=1')
})
afterEach(async () => {
  expect(agent.bytesRead()).toBeLessThanOrEqual(MAX_BYTES)
  await agent[Symbol.asyncDispose]()
})

describe('an agent', () => {
  it('finds the shop that lacks the reviews of the newest template version', async () => {
    const status = await agent.ask('migrations')
    expect(status).toMatch(/tenant lumiar, template version 1 \(newest 2\)/)
    expect(status).toMatch(/tenant serra, template version 2,/)
    const schemas = [
      await agent.ask('describe_schema', { tenant: 'lumiar' }),
      await agent.ask('describe_schema', { tenant: 'serra' }),
    ]
    expect(schemas.map((schema) => /^reviews /m.test(schema))).toEqual([false, true])
  })

  it('changes a price, names the changed cells, and restores the earlier state', async () => {
    await agent.ask('snapshots', { action: 'save', name: 'before-prices' })
    await agent.ask('run_sql', {
      tenant: 'serra',
      sql: `update products set price = price + 100 where sku = 'CAF-250'`,
      mode: 'run',
    })
    const changes = await agent.ask('snapshots', { action: 'compare', name: 'before-prices' })
    expect(changes).toMatch(/products: 0 rows added, 0 removed, 1 changed/)
    expect(changes).toMatch(/price "4200" -> "4300"/)
    await agent.ask('snapshots', { action: 'restore', name: 'before-prices' })
    const price = await agent.ask('run_sql', {
      tenant: 'serra',
      sql: `select price from products where sku = 'CAF-250'`,
    })
    expect(price).toContain('["4200"]')
  })
})
