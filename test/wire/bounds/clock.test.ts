// Platform time moved to and beyond the ends of its range, and a data directory of an older release with a time beyond the range.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'time', {
    sql: 'create function present() returns timestamptz language sql stable as $$ select now() $$',
  })
  tenant = await provisionTenant(at, group, 'acme')
})
afterAll(() => at[Symbol.asyncDispose]())

const move = (command: object) => at.call('POST', '/_emulator/v1/clock', { body: command })
const present = async (): Promise<string> => (await at.call('GET', '/_emulator/v1/clock')).body.now

describe('a move of the clock out of its range', () => {
  it.each<[string, object]>([
    ['a step too far ahead', { advance_ms: 3.1e14 }],
    ['a step too far back', { advance_ms: -3.1e14 }],
    ['a step beyond any number of milliseconds', { advance_ms: 1e300 }],
    ['an instant before year 1', { set: '0000-06-01T00:00:00Z' }],
    ['freezing before year 1', { freeze: '0000-06-01T00:00:00Z' }],
  ])('is refused with 400 and changes nothing: %s', async (_, command) => {
    const before = await present()
    const { status, body } = await move(command)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.hint).toContain('9999-12-31T23:59:59.999Z')
    expect((await present()).slice(0, 10)).toBe(before.slice(0, 10))
    expect((await at.call('GET', '/_emulator/v1/journal')).status).toBe(200)
  })

  it('is also refused when many small steps would leave the range', async () => {
    const statuses: number[] = []
    for (let step = 0; step < 28; step += 1)
      statuses.push((await move({ advance_ms: 1e14 })).status)
    expect(statuses).toContain(400)
    expect((await at.call('GET', '/_emulator/v1/journal')).status).toBe(200)
    expect((await move({ reset: true })).status).toBe(200)
  })
})

describe('platform time at an end of its range', () => {
  it.each(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'can be %s, and requests are answered',
    async (end) => {
      expect((await move({ freeze: end })).status).toBe(200)
      const { status, body } = await at.call('GET', '/rest/v1/rpc/present', {
        headers: {
          apikey: tenant.serviceRoleKey,
          authorization: `Bearer ${tenant.serviceRoleKey}`,
        },
      })
      expect([status, body]).toEqual([200, expect.any(String)])
      expect((await at.call('GET', '/_emulator/v1/journal')).status).toBe(200)
      await move({ reset: true })
    },
  )
})

describe('a data directory with times beyond the range of JavaScript dates', () => {
  it('opens, and its journal is listed', async () => {
    const dataDir = join(folder.path, 'poisoned')
    const first = await startTestEmulator({ dataDir })
    await first.call('GET', '/rest/v1/nothing')
    await first[Symbol.asyncDispose]()
    const journal = new Database(join(dataDir, 'journal.db'))
    journal.exec('update journal set received_at = 8680000000000000')
    journal.close()

    await using again = await startTestEmulator({ dataDir })
    const { status, body } = await again.call('GET', '/_emulator/v1/journal')
    expect(status).toBe(200)
    expect(body.entries).toContainEqual(
      expect.objectContaining({ received_at: '+275760-09-13T00:00:00.000Z' }),
    )
    expect((await again.call('GET', '/_emulator/v1/overview')).status).toBe(200)
  })
})
