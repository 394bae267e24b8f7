// The header Date is platform time (docs/wire/README.md#timing).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const NEW_YEAR = 'Fri, 01 Jan 2038 00:00:00 GMT'

it.each(['/auth/v1/user', '/storage/v1/bucket', '/groups/v1/x', '/notes'])(
  'the Date header of %s is platform time, and pages can read the header',
  async (path) => {
    await world.clock({ freeze: '2038-01-01T00:00:00Z' })
    const headers = { apikey: world.tenant.anonKey, origin: world.at.url }
    const answer = await world.at.call('GET', path, { headers })
    expect(answer.headers.get('date')).toBe(NEW_YEAR)
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/\bDate\b/)
  },
)

it('the Date header of the emulator’s own API is the machine’s time', async () => {
  await world.clock({ freeze: '2038-01-01T00:00:00Z' })
  const { headers } = await world.at.call('GET', '/_emulator/v1/health')
  expect(headers.get('date')).not.toBe(NEW_YEAR)
})
