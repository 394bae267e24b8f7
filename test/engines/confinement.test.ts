// What a tenant's SQL cannot do: leave its role, reach another tenant or the server (docs/wire/data-plane.md#isolation).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, SqlError } from '../../emulator/database/engine.ts'
import { sql, tenantScript, verbatim } from '../../emulator/database/sql.ts'
import { onlyEmbedded, TEST_DATABASE_URL } from '../support/engine-of-run.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  OUT_OF_REACH,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'
import { type Attack, FOREIGN, inBlock, OUTSIDE, ROLE_ESCAPES } from './attacks.ts'

// Tenant proj_x attacks; tenant proj_y has granted everything it owns to PUBLIC.
const ATTACKER = 'proj_x'
const VICTIM = 'proj_y'
const SECRET = `secret of ${VICTIM}`

// A project whose roles lose their privileges and objects in the tests.
const LOST = 'proj_lost'

let engine: Engine
let superuser: string
let database: string

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  superuser = (await admin(engine, 'cluster', 'select current_user')) ?? ''
  await createTestTenant(engine, LOST)
  await createTestTenant(engine, ATTACKER)
  await createTestTenant(engine, VICTIM)
  database = (await admin(engine, VICTIM, 'select current_database()')) ?? ''
})

afterAll(() => engine.close())

const isServer = TEST_DATABASE_URL !== undefined
// The other tenant's objects do not exist in the database of proj_x.
const ABSENT = /^(42P01|3F000|42883)$/

const cases = (attacks: readonly Attack[]) =>
  attacks.map(([name, text, expected = '42501', onServer = expected]) => ({
    name,
    text,
    expected: isServer ? onServer : expected,
  }))

describe('a tenant’s owner', () => {
  it.each(cases(ROLE_ESCAPES))('cannot leave its role: $name', async ({ text, expected }) => {
    await expectRefusal(`${ATTACKER}_owner`, text, expected)
  })

  it.each(cases(FOREIGN))('cannot reach another schema: $name', async ({ text, expected }) => {
    const isAbsent = isServer && expected === '42501'
    await expectRefusal(`${ATTACKER}_owner`, text, expected, isAbsent ? ABSENT : undefined)
  })

  it.each(cases(OUTSIDE))('cannot reach outside its schema: $name', async ({ text, expected }) => {
    await expectRefusal(`${ATTACKER}_owner`, text, expected)
  })
})

describe.each(['anon', 'authenticated', 'service_role'])('%s in a prepared request', (role) => {
  it.each([
    ['set_config', `select set_config('role', ':superuser', true)`],
    ['session authorization', `select set_config('session_authorization', ':superuser', true)`],
    ['foreign table', 'select * from proj_y.notes'],
    ['foreign function', 'select proj_y.body_of(1)'],
    ['file', `select pg_read_file('PG_VERSION')`],
    ['reassign owned', `do $$begin execute 'reassign owned by current_user to :superuser'; end$$`],
  ])('cannot escape: %s', async (_name, text) => {
    const work = runAsRole(engine, ATTACKER, role, [sql`${verbatim(withNames(text))}`])
    await expect(work).rejects.toMatchObject({ code: expect.stringMatching(OUT_OF_REACH) })
  })

  // A server lets each role change its own settings and objects. A role of requests has none outside its project's database.
  it.each([
    ['drop owned', 'drop owned by current_user'],
    ['settings of the role', `alter role current_user set search_path = 'x'`],
    [
      'settings in another database',
      `alter role current_user in database :database set role = none`,
    ],
    ['password of the role', 'alter role current_user password null'],
  ])('changes nothing for another tenant: %s', async (_name, text) => {
    const statement = sql`${verbatim(inBlock(withNames(text)))}`
    const work = runAsRole(engine, ATTACKER, role, [statement], { end: 'rollback' })
    if (isServer) await runAsRole(engine, LOST, role, [statement])
    else await expect(work).rejects.toMatchObject({ code: '42501' })
    await work.catch(() => undefined)
    const own = sql`select current_user || ' ' || body || ' ' || current_setting('search_path') from notes where id = 1`
    const seen = await runAsRole(engine, VICTIM, role, [own])
    expect(lastCell(seen)).toBe(`${role} ${SECRET} "${VICTIM}", extensions`)
  })
})

describe.each(['proj_x_owner', 'anon', 'authenticated', 'service_role'])('%s', (role) => {
  it.each([
    'select * from pg_stat_database',
    'select * from pg_stat_get_activity(null)',
    'select * from pg_stat_io',
    'select pg_stat_get_db_xact_commit(1)',
    `select pg_tablespace_size('pg_default')`,
  ])('cannot see totals of all tenants: %s', async (text) => {
    expect(await attempt(role, withNames(text))).toBe('42501')
  })

  it('cannot see the size of all tenants together', async () => {
    // A server refuses to show the size of another database. The embedded engine has one database, and returns the size of the
    // tenant's part.
    const seen = await attempt(role, withNames(`select pg_database_size(':database')`))
    if (isServer) expect(seen).toBe('42501')
    else expect(Number(seen)).toBeLessThan(Number(await sizeOfAll()))
  })

  it('sees no sessions of other logins', async () => {
    const seen = await attempt(
      role,
      'select count(*) from pg_stat_activity where usename <> session_user',
    )
    expect(seen).toBe(role === 'proj_x_owner' ? '0' : '42501')
  })
})

describe('default privileges', () => {
  it.each(['proj_y_owner', 'proj_x_owner, anon', 'anon'])(
    'cannot be changed by an owner for %s',
    async (named) => {
      const text = `alter default privileges for role ${named} grant select on tables to anon`
      expect(await attempt('proj_x_owner', text)).toBe('42501')
    },
  )

  it.each(['', 'for role proj_x_owner', 'for user current_user'])(
    'can be changed by an owner for its own role: %s',
    async (named) => {
      const text = `alter default privileges ${named} in schema proj_x grant execute on functions to anon; select 'done'`
      expect(await attempt('proj_x_owner', text)).toBe('done')
    },
  )
})

describe('what one request leaves behind', () => {
  const dirty: (readonly [name: string, leave: string, look: string])[] = [
    ['a setting', `set my.secret = 'x'`, `select nullif(current_setting('my.secret', true), '')`],
    [
      'a setting by function',
      `select set_config('my.other', 'x', false)`,
      `select nullif(current_setting('my.other', true), '')`,
    ],
    [
      'a search path',
      `set search_path = 'nowhere'`,
      `select nullif(current_setting('search_path'), '"proj_y", extensions')`,
    ],
    [
      'a date style',
      `set datestyle = 'German'`,
      `select nullif(current_setting('datestyle'), 'ISO, MDY')`,
    ],
    [
      'read only',
      'set default_transaction_read_only = on',
      `select nullif(current_setting('default_transaction_read_only'), 'off')`,
    ],
    [
      'a temporary table',
      'create temp table leftover (n int)',
      `select to_regclass('pg_temp.leftover')::text`,
    ],
    [
      'a temporary view',
      'create temp view notes as select 1',
      `select to_regclass('pg_temp.notes')::text`,
    ],
    [
      'a temporary function',
      `create function pg_temp.f() returns int language sql as 'select 1'`,
      `select proname from pg_proc where pronamespace = pg_my_temp_schema()`,
    ],
    [
      'a cursor',
      'declare c cursor with hold for select * from notes',
      `do $$begin execute 'fetch c'; raise exception 'leaked'; exception when invalid_cursor_name then null; end$$; select null`,
    ],
    [
      'a prepared statement',
      'prepare stolen as select * from notes',
      `do $$begin execute 'execute stolen'; raise exception 'leaked'; exception when invalid_sql_statement_name then null; end$$; select null`,
    ],
    ['a listener', 'listen bell', 'select pg_listening_channels()'],
    [
      'an advisory lock',
      'select pg_advisory_lock(7)',
      `select locktype from pg_locks where locktype = 'advisory'`,
    ],
    [
      'a sequence’s value',
      `insert into notes (body) values ('z')`,
      `do $$begin perform lastval(); raise exception 'leaked'; exception when object_not_in_prerequisite_state then null; end$$; select null`,
    ],
  ]

  it.each(dirty)('does not reach another tenant: %s', async (_name, leave, look) => {
    await runAsOwner(engine, ATTACKER, leave)
    expect(lastCell(await runAsOwner(engine, VICTIM, look))).toBeUndefined()
  })

  // On a server, each session serves one role of one project, so state that only DISCARD ALL removes may stay in the session.
  it.each(dirty.slice(0, isServer ? 5 : 12))(
    'does not reach the same tenant’s next request: %s',
    async (_name, leave, look) => {
      await runAsRole(engine, ATTACKER, `${ATTACKER}_owner`, [sql`${verbatim(leave)}`])
      const seen = await runAsOwner(engine, ATTACKER, look.replace(VICTIM, ATTACKER))
      expect(lastCell(seen)).toBeUndefined()
    },
  )
})

// Only the embedded engine checks what the platform's own work runs. Its tests prove for both engines that this work runs no
// tenant code.
onlyEmbedded('platform work on a server has no fence').describe('platform work', () => {
  it('is refused when it would run a tenant’s trigger', async () => {
    await runAsOwner(
      engine,
      ATTACKER,
      `create temp table pg_class (n int);
       create function escalate() returns trigger language plpgsql as
         $$begin alter role proj_x_owner superuser; return new; end$$;
       create table trapped (n int);
       create trigger trap before insert on trapped for each row execute function escalate()`,
    )
    const insert = admin(engine, ATTACKER, 'insert into proj_x.trapped values (1)')
    await expect(insert).rejects.toMatchObject({ code: '42501' })
    const own = await runAsOwner(
      engine,
      ATTACKER,
      `select rolsuper from pg_roles where rolname = current_user`,
    )
    expect(lastCell(own)).toBe('f')
  })

  it('is refused when it would run a tenant’s function', async () => {
    const call = admin(engine, ATTACKER, 'select proj_x.body_of(1)')
    await expect(call).rejects.toMatchObject({ code: '42501' })
  })
})

describe('a role that is not the tenant’s', () => {
  it.each(['proj_y_owner', 'rt_proj_y', 'postgres', 'platform_idle'])(
    'is refused: %s',
    async (role) => {
      await expect(runAsRole(engine, ATTACKER, role, [sql`select 1`])).rejects.toMatchObject({
        code: '42501',
      })
    },
  )
})

async function expectRefusal(
  role: string,
  text: string,
  expected: string,
  orElse?: RegExp,
): Promise<void> {
  const seen = await attempt(role, withNames(text))
  expect(orElse?.test(seen) === true ? expected : seen).toBe(expected)
  const self = await runAsRole(engine, ATTACKER, role, [sql`select current_user`])
  expect(lastCell(self)).toBe(role)
  const secret = await runAsOwner(engine, VICTIM, 'select body from notes where id = 1')
  expect(lastCell(secret)).toBe(SECRET)
}

function sizeOfAll(): Promise<string | undefined> {
  return admin(
    engine,
    'cluster',
    `select sum(pg_total_relation_size(oid)) from pg_class where relkind in ('r', 'm')`,
  )
}

function withNames(text: string): string {
  return text.replaceAll(':superuser', superuser).replaceAll(':database', database)
}

async function attempt(role: string, text: string): Promise<string> {
  try {
    const result = await runAsRole(engine, ATTACKER, role, tenantScript(text))
    return lastCell(result) ?? 'null'
  } catch (error) {
    return error instanceof SqlError ? error.code : String(error)
  }
}
