// The settings of a session that policies read about the caller (docs/wire/data-plane.md#auth-functions).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../emulator/core/json.ts'
import { trusted } from '../../emulator/core/names.ts'
import { asPrincipal } from '../../emulator/database/as-principal.ts'
import { cellText, type Engine } from '../../emulator/database/engine.ts'
import { type Sql, sql } from '../../emulator/database/sql.ts'
import { lastCell, openTestEngine, runAsOwner } from '../support/test-engine.ts'

const schemaName = trusted.schemaName('proj_shop')
const USER = '0b9d2c9e-6a2f-4a0a-9d6c-0a2e0a7d2b11'
const OTHER = '11111111-6a2f-4a0a-9d6c-0a2e0a7d2b11'
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.projects.create(schemaName)
})

afterAll(() => engine.close())

async function ask(claims: JsonObject, ...statements: Sql[]): Promise<string | undefined> {
  const claimsText = JSON.stringify(claims)
  const principal = { schemaName, role: 'authenticated', claims, claimsText } as const
  const work = await engine.run({
    ...asPrincipal(principal, { method: 'GET', path: '/', headers: '{}' }),
    mode: 'readOnly',
    statements,
    end: 'commit',
    timeoutMillis: 10_000,
  })
  return cellText(work.results.at(-1)?.rows[0]?.[0])
}

describe('auth.uid()', () => {
  it.each([
    ['a user id', { sub: USER }, USER],
    ['a key', { sub: 'apikey:anon' }, undefined],
    ['nothing', {}, undefined],
    ['null', { sub: null }, undefined],
    ['a number', { sub: 7 }, undefined],
    ['an id in capitals', { sub: USER.toUpperCase() }, USER],
  ])('returns a user id or null when the claim sub is %s', async (_, claims, expected) => {
    expect(await ask(claims, sql`select auth.uid()`)).toBe(expected)
  })

  it('uses the claims that a function sets during a request', async () => {
    const other = JSON.stringify({ sub: OTHER })
    const answer = await ask(
      { sub: USER },
      sql`select set_config('request.jwt.claims', ${other}, true)`,
      sql`select auth.uid()`,
    )
    expect(answer).toBe(OTHER)
  })

  it('returns null in a later request without claims', async () => {
    await ask({ sub: USER }, sql`select auth.uid()`)
    expect(await ask({}, sql`select auth.uid()`)).toBeUndefined()
  })
})

describe('auth.role()', () => {
  it.each([
    ['the role', { role: 'authenticated' }, 'authenticated'],
    ['the subscriber of realtime', { role: 'rt_x', sdb_role: 'anon' }, 'anon'],
    ['a claim of another type as text', { role: 5 }, '5'],
    ['nothing', {}, undefined],
  ])('returns %s', async (_, claims, expected) => {
    expect(await ask(claims, sql`select auth.role()`)).toBe(expected)
  })

  it('uses the claims that a function sets during a request', async () => {
    const answer = await ask(
      { role: 'authenticated' },
      sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`,
      sql`select auth.role()`,
    )
    expect(answer).toBe('service_role')
  })
})

describe("current_setting('role')", () => {
  it('returns the caller’s role', async () => {
    expect(await ask({}, sql`select current_setting('role')`)).toBe('authenticated')
  })

  it('does not return the previous caller’s role in work without a principal', async () => {
    await ask({}, sql`select current_setting('role')`)
    const work = await runAsOwner(engine, schemaName, "select current_setting('role')")
    expect(lastCell(work)).toMatch(/^(none|proj_shop_owner)$/)
  })
})
