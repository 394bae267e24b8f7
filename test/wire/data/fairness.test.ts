// Tenants share one engine. A flood of one tenant's requests must not delay another tenant's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const SQL = `
  create table notes (id bigint primary key);
  create function slow() returns int language sql volatile as $$ select 1 from pg_sleep(0.005) $$;
`
const FLOOD = 60

let at: TestEmulator
let busy: TestTenant
let quiet: TestTenant
beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'fair', { sql: SQL })
  busy = await provisionTenant(at, group, 'busy')
  quiet = await provisionTenant(at, group, 'quiet')
})
afterAll(() => at[Symbol.asyncDispose]())

function keysOf(tenant: TestTenant): Readonly<Record<string, string>> {
  return { apikey: tenant.serviceRoleKey, authorization: `Bearer ${tenant.serviceRoleKey}` }
}

describe('a flood of one tenant', () => {
  it('delays another tenant’s request by less than a quarter of the flood', async () => {
    const read = () => at.call('GET', '/rest/v1/notes?select=id', { headers: keysOf(quiet) })
    // Fills the schema cache of the quiet tenant, so that its later request is a single job.
    await read()
    let answered = 0
    const flood = Array.from({ length: FLOOD }, async () => {
      const { status } = await at.call('POST', '/rest/v1/rpc/slow', {
        headers: keysOf(busy),
        body: {},
      })
      answered += 1
      return status
    })
    await Promise.race(flood)
    const before = answered
    const { status } = await read()
    const overtaken = answered - before
    expect(status).toBe(200)
    expect(overtaken).toBeLessThan(FLOOD / 4)
    expect(await Promise.all(flood)).toEqual(flood.map(() => 200))
  })
})
