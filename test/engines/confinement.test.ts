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

// Tenant proj_x attacks; tenant proj_y has granted everything it owns to PUBLIC.
const ATTACKER = 'proj_x'
const VICTIM = 'proj_y'
const SECRET = `secret of ${VICTIM}`

// A project that loses what its roles have.
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
}, 60_000)

afterAll(() => engine.close())

// The code of the refusal, or `null` for statements that a server lets run, because they give the session nothing.
type Attack = readonly [name: string, text: string, expected?: string, onServer?: string]

const isServer = TEST_DATABASE_URL !== undefined
// The other tenant's objects do not exist in the database of proj_x.
const ABSENT = /^(42P01|3F000|42883)$/

const cases = (attacks: readonly Attack[]) =>
  attacks.map(([name, text, expected = '42501', onServer = expected]) => ({
    name,
    text,
    expected: isServer ? onServer : expected,
  }))
const inBlock = (statement: string) => `do $o$begin execute $i$${statement}$i$; end$o$`

const ROLE_ESCAPES: readonly Attack[] = [
  ['set role', 'set role :superuser'],
  ['set local role', 'set local role service_role'],
  ['set role to another tenant’s owner', 'set role proj_y_owner'],
  ['set role none', 'set role none', '42501', 'null'],
  ['reset role', 'reset role', '42501', 'null'],
  ['set role to itself', 'set role proj_x_owner', '42501', 'null'],
  ['set "ROLE"', `set "ROLE" = ':superuser'`],
  ['session authorization', 'set session authorization :superuser'],
  ['local session authorization', 'set local session authorization proj_y_owner'],
  ['reset session authorization', 'reset session authorization', '42501', 'null'],
  ['default session authorization', 'set session authorization default', '42501', 'null'],
  ['set_config of role', `select set_config('role', ':superuser', true)`],
  [
    'set_config of session authorization',
    `select set_config('session_authorization', ':superuser', false)`,
  ],
  [
    'update of pg_settings',
    `update pg_settings set setting = ':superuser' where name = 'role'`,
    'null',
  ],
  ['execute in a block', inBlock('set role :superuser')],
  ['reset in a block', inBlock('reset role'), '42501', 'null'],
  ['perform in a block', `do $$begin perform set_config('role', 'service_role', false); end$$`],
  [
    'an exception block',
    `do $$begin begin perform 1/0; exception when others then execute 'set role :superuser'; end; end$$`,
  ],
  [
    'a function’s set clause',
    `create function f1() returns int language sql set role = :superuser as 'select 1'`,
  ],
  [
    'a function’s set clause for session authorization',
    `create function f2() returns int language sql set session_authorization = :superuser as 'select 1'`,
  ],
  [
    'a security definer function',
    `create function f3() returns text language plpgsql security definer as $$begin execute 'set role :superuser'; return current_user; end$$; select f3()`,
  ],
  [
    'a procedure that commits first',
    `create procedure p1() language plpgsql as $$begin commit; execute 'set session authorization :superuser'; end$$; call p1()`,
    '2D000',
  ],
  [
    'a prepared statement',
    `prepare s1 as select set_config('role', ':superuser', false); execute s1`,
  ],
  ['after a commit', 'commit; set role :superuser'],
  ['after a rollback', 'rollback; set session authorization :superuser'],
  ['after begin', 'begin; set local role :superuser; commit'],
  ['and chain', 'begin; commit and chain; set role :superuser'],
  ['alter role superuser', 'alter role proj_x_owner superuser'],
  ['create role', 'create role intruder superuser'],
  ['grant of a role', 'grant service_role to proj_x_owner'],
  ['grant of the superuser', 'grant :superuser to proj_x_owner'],
  ['alter another role', `alter role anon set search_path = 'proj_x'`],
  ['alter database', `alter database :database set role = ':superuser'`],
  ['alter system', `alter system set session_preload_libraries = 'x'`],
  ['session_replication_role', 'set session_replication_role = replica'],
  ['owner to the superuser', 'create table o1 (); alter table o1 owner to :superuser'],
  ['reassign owned', 'reassign owned by proj_y_owner to proj_x_owner'],
]

const FOREIGN: readonly Attack[] = [
  ['table by name', 'select * from proj_y.notes'],
  ['insert', `insert into proj_y.notes (body) values ('x')`],
  ['update', `update proj_y.notes set body = ''`],
  ['delete', 'delete from proj_y.notes'],
  ['truncate', 'truncate proj_y.notes'],
  ['view', 'select * from proj_y.all_notes'],
  ['function', 'select proj_y.body_of(1)'],
  ['search path', 'set search_path = proj_y; select * from notes', '42P01'],
  [
    'set_config of search path',
    `select set_config('search_path', 'proj_y', false); select * from all_notes`,
    '42P01',
  ],
  [
    'function with a search path',
    `create function g1() returns text language sql set search_path = proj_y as 'select body from notes'; select g1()`,
    '42P01',
  ],
  ['view over it', 'create view v1 as select * from proj_y.notes'],
  ['materialised view', 'create materialized view v2 as select * from proj_y.notes'],
  ['create table as', 'create table t1 as select * from proj_y.notes'],
  ['create table like', 'create table t2 (like proj_y.notes)'],
  ['inherits', 'create table t3 () inherits (proj_y.notes)'],
  ['foreign key', 'create table t4 (id integer references proj_y.notes)'],
  ['row type', 'create table t5 (n proj_y.notes)'],
  [
    'trigger on it',
    `create function tf() returns trigger language plpgsql as 'begin return new; end'; create trigger tr before insert on proj_y.notes for each row execute function tf()`,
  ],
  [
    'trigger function of it',
    'create table t6 (); create trigger tr before insert on t6 for each statement execute function proj_y.body_of()',
  ],
  [
    'policy that reads it',
    'create table t7 (); create policy p on t7 using (exists (select from proj_y.notes))',
  ],
  [
    'rule',
    'create table t8 (); create rule r as on insert to t8 do also insert into proj_y.notes default values',
  ],
  [
    'operator',
    'create operator === (leftarg = integer, rightarg = integer, function = proj_y.body_of)',
  ],
  ['cast', 'create cast (integer as text) with function proj_y.body_of(integer)'],
  ['aggregate', 'create aggregate a1 (integer) (sfunc = proj_y.body_of, stype = text)'],
  ['default', 'create table t9 (b text default proj_y.body_of(1))'],
  ['regclass', `select 'proj_y.notes'::regclass`],
  ['to_regclass', `select to_regclass('proj_y.notes')::oid::int + 1`, '42501', 'null'],
  ['regprocedure', `select 'proj_y.body_of(integer)'::regprocedure`],
  ['query_to_xml', `select query_to_xml('select * from proj_y.notes', true, false, '')`],
  ['schema_to_xml', `select schema_to_xml('proj_y', true, false, '')`],
  ['ts_stat', `select * from ts_stat('select to_tsvector(body) from proj_y.notes')`],
  ['execute in a block', inBlock('select * from proj_y.notes')],
  ['cursor', 'declare c cursor for select * from proj_y.notes'],
  ['copy out', 'copy proj_y.notes to stdout'],
  ['lock', 'begin; lock table proj_y.notes'],
  ['comment', `comment on table proj_y.notes is 'x'`],
  ['alter', 'alter table proj_y.notes add column z integer'],
  ['drop', 'drop table proj_y.notes'],
  ['drop schema', 'drop schema proj_y cascade'],
  ['rename schema', 'alter schema proj_y rename to proj_z'],
  ['own schema renamed', 'alter schema proj_x rename to proj_z'],
  ['move into it', 'create table t10 (); alter table t10 set schema proj_y'],
  ['create in it', 'create table proj_y.planted ()'],
  ['grant on it', 'grant select on proj_y.notes to proj_x_owner'],
  ['nextval by name', `select nextval('proj_y.notes_id_seq')`],
  ['publication', 'create publication p for all tables'],
  ['statistics', 'create statistics st on id, owner from proj_y.notes'],
  ['analyze', 'explain analyze select * from proj_y.notes'],
]

const OUTSIDE: readonly Attack[] = [
  ['read a file', `select pg_read_file('PG_VERSION')`],
  ['read a binary file', `select pg_read_binary_file('global/pg_control')`],
  ['list files', `select pg_ls_dir('.')`],
  ['copy to a file', `copy notes to '/tmp/x'`],
  ['copy from a file', `copy notes from '/etc/passwd'`],
  ['copy to a program', `copy notes to program 'true'`],
  ['copy from a device', `copy notes from '/dev/blob'`],
  ['large object import', `select lo_import('/etc/passwd')`],
  ['large object', `select lo_from_bytea(0, 'x')`],
  ['large object create', 'select lo_create(0)'],
  ['large object by oid', 'select lo_get(16400)'],
  ['passwords', 'select * from pg_authid'],
  ['shadow', 'select * from pg_shadow'],
  ['statistics table', 'select * from pg_statistic'],
  ['prepared statements', 'select * from pg_prepared_statements'],
  ['prepared statements’ function', 'select * from pg_prepared_statement()'],
  ['large object table', 'select * from pg_largeobject'],
  ['catalogue row', `update pg_roles set rolname = 'x'`, '55000'],
  ['catalogue table', `update pg_class set relowner = 10`],
  ['catalogue insert', `delete from pg_authid`],
  ['untrusted language', `create function c1() returns int language c as 'x', 'y'`],
  ['internal language', `create function c2(int) returns int language internal as 'int4um'`],
  ['load a library', `load 'x'`],
  ['extension', 'create extension amcheck', '0A000', '42501'],
  ['language', 'create language plperl', '0A000', '42501'],
  ['foreign data wrapper', 'create foreign data wrapper w'],
  [
    'event trigger',
    `create function et() returns event_trigger language plpgsql as 'begin end'; create event trigger e on ddl_command_start execute function et()`,
  ],
  ['database', 'create database other'],
  ['tablespace', `create tablespace t location '/tmp'`],
  ['public schema', 'create table public.planted ()'],
  ['catalogue schema', 'create table pg_catalog.planted ()'],
  ['extensions schema', 'create table extensions.planted ()'],
  ['new schema', 'create schema own'],
  ['platform schema', 'select * from platform.canary'],
  ['exit_on_error', 'set exit_on_error = on', '55P02', 'null'],
  ['copy from stdin', 'copy notes from stdin', '57014'],
  ['terminate', 'select pg_terminate_backend(pg_backend_pid())'],
  ['checkpoint', 'checkpoint'],
  ['reset statistics', 'select pg_stat_reset()'],
  ['lock a catalogue', 'begin; lock table pg_class'],
  ['operator class', 'create operator class oc for type integer using btree as operator 1 <'],
  ['reload', 'select pg_reload_conf()'],
  ['switch log', 'select pg_switch_wal()'],
  ['event triggers off', 'set event_triggers = off'],
  ['subscription', `create subscription s connection '' publication p`],
]

describe('a tenant’s owner', () => {
  it.each(cases(ROLE_ESCAPES))('cannot leave its role: $name', async ({ text, expected }) => {
    await expectRefusal(`${ATTACKER}_owner`, text, expected)
  })

  it.each(cases(FOREIGN))('cannot reach another schema: $name', async ({ text, expected }) => {
    const isAbsent = isServer && expected === '42501'
    await expectRefusal(`${ATTACKER}_owner`, text, expected, isAbsent ? ABSENT : undefined)
  })

  it.each(cases(OUTSIDE))('cannot reach outside: $name', async ({ text, expected }) => {
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

  // A server lets each role change what it has. A role of requests has nothing outside of its project's database.
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
    'select * from pg_stat_activity',
    'select * from pg_stat_database',
    'select * from pg_stat_io',
    'select pg_stat_get_db_xact_commit(1)',
    `select pg_database_size(':database')`,
  ])('cannot see what all tenants do together: %s', async (text) => {
    expect(await attempt(role, withNames(text))).toBe('42501')
  })
})

describe('default privileges', () => {
  it.each(['proj_y_owner', 'proj_x_owner, anon', 'anon'])(
    'are not changed by an owner for %s',
    async (named) => {
      const text = `alter default privileges for role ${named} grant select on tables to anon`
      expect(await attempt('proj_x_owner', text)).toBe('42501')
    },
  )

  it.each(['', 'for role proj_x_owner', 'for user current_user'])(
    'are an owner’s own to change: %s',
    async (named) => {
      const text = `alter default privileges ${named} in schema proj_x grant execute on functions to anon; select 'done'`
      expect(await attempt('proj_x_owner', text)).toBe('done')
    },
  )
})

describe('what one request leaves', () => {
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

  // A session of a server serves one role of one project, and keeps what only DISCARD ALL removes.
  it.each(dirty.slice(0, isServer ? 5 : 12))(
    'does not reach the same tenant’s next request: %s',
    async (_name, leave, look) => {
      await runAsRole(engine, ATTACKER, `${ATTACKER}_owner`, [sql`${verbatim(leave)}`])
      const seen = await runAsOwner(engine, ATTACKER, look.replace(VICTIM, ATTACKER))
      expect(lastCell(seen)).toBeUndefined()
    },
  )
})

// A server has no fence around the platform's work. The embedded engine proves for both that no platform work runs such code.
onlyEmbedded('platform work on a server has no fence').describe('platform work', () => {
  it('is not caught with a temporary table or a trigger', async () => {
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
