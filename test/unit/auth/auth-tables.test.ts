// How statements on auth_* tables handle conflicts with simultaneous requests.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { HOUR_MILLIS } from '../../../emulator/core/time.ts'
import { delegate, type Engine, SqlError } from '../../../emulator/database/engine.ts'
import { sql } from '../../../emulator/database/sql.ts'
import { createAuthTables } from '../../../emulator/services/auth/auth-tables.ts'
import { issueToken } from '../../../emulator/services/auth/one-time-codes/link-tokens.ts'
import { openTestEngine } from '../../support/test-engine.ts'

const SHOP = trusted.schemaName('proj_shop')
const clock = new SystemClock()
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.projects.create(SHOP)
})

afterAll(() => engine.close())

/** Returns an engine whose next runs fail with these codes before they begin. */
function contended(...codes: readonly string[]): Engine {
  const left = [...codes]
  return {
    ...delegate(engine),
    connect: (login) => engine.connect(login),
    run: (work) => {
      const code = left.shift()
      return code === undefined
        ? engine.run(work)
        : Promise.reject(new SqlError(code, 'rolled back because of another transaction'))
    },
  }
}

const one = sql`select 1`

it.each(['40001', '40P01'])('repeats a transaction that ended with the error %s', async (code) => {
  expect(await createAuthTables(contended(code), clock).write(SHOP, one)).toEqual([[['1']]])
})

it.each([
  ['the second time', ['40P01', '40P01'], '40P01'],
  ['with another code', ['57P02'], '57P02'],
])('fails when a transaction fails %s', async (_, codes, code) => {
  const tables = createAuthTables(contended(...codes), clock)
  await expect(tables.write(SHOP, one)).rejects.toMatchObject({ code })
})

it.each(['42P01', '42704', '3D000'])(
  'refuses an erased project that is reported as %s',
  async (code) => {
    const tables = createAuthTables(contended(code), clock)
    await expect(tables.read(SHOP, one)).rejects.toMatchObject({ code: 'offline' })
  },
)

it('answers 401 when a token is issued for a user who was deleted meanwhile', async () => {
  const ids = new SystemIdSource()
  const issued = issueToken({ tables: createAuthTables(engine, clock), ids }, SHOP, {
    purpose: 'confirmation',
    userId: ids.uuid(),
    target: 'gone@example.com',
    redirectTo: undefined,
    facts: {},
    lifetimeMillis: HOUR_MILLIS,
  })
  await expect(issued).rejects.toMatchObject({ code: 'unauthorized' })
})
