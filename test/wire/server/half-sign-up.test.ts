// A sign-up whose session or confirmation link cannot be stored. The caller gets an error, so the emulator must not store the
// user either. Otherwise a repeated sign-up would get 409.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { noNativeServer } from '../../support/native-server.ts'
import { startSharedServer } from '../../support/shared-server.ts'

const CANNOT_STORE = `create function refuse() returns trigger language plpgsql as $$
begin raise 'No space left on device' using errcode = '53100'; end $$`

describe.skipIf(noNativeServer !== undefined)('a sign-up that fails halfway', () => {
  let server: Awaited<ReturnType<typeof startSharedServer>>
  let world: AuthWorld
  let database: pg.Client

  beforeAll(async () => {
    server = await startSharedServer()
    world = await startAuthWorld({ engine: 'postgres', databaseUrl: server.url })
    const { schemaName } = world.tenant
    database = await superuserIn(schemaName)
    await database.query(`set search_path = ${schemaName}`)
    await database.query(CANNOT_STORE)
  })
  afterAll(async () => {
    await database?.end()
    await world?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  async function superuserIn(schemaName: string): Promise<pg.Client> {
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    const { rows } = await admin.query<{ datname: string }>(
      `select datname from pg_database where datname like '%' || $1`,
      [schemaName],
    )
    await admin.end()
    const url = new URL(server.url)
    url.pathname = rows[0]?.datname ?? ''
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    return client
  }

  it.each([
    ['session', 'auth_sessions', false],
    ['confirmation link', 'auth_one_time_codes', true],
  ])('stores no user when the %s cannot be stored', async (_, table, confirmEmail) => {
    const email = `${table}@example.com`
    const signUp = () => world.auth('POST', '/signup', { email, password: PASSWORD })
    await world.settings({ confirm_email: confirmEmail })
    await database.query(
      `create trigger refuse before insert on ${table} for each row execute function refuse()`,
    )
    expect(await signUp()).toMatchObject({ status: 507 })
    await database.query(`drop trigger refuse on ${table}`)
    expect(await signUp()).toMatchObject({ status: 200 })
  })
})
