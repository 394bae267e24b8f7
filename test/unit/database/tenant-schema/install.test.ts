// Every project has roles, default privileges and auth_* tables (docs/wire/platform.md#default-grants).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { type Engine, textRows } from '../../../../emulator/database/engine.ts'
import { script, tenantScript } from '../../../../emulator/database/sql.ts'
import { watchSchemaChanges } from '../../../../emulator/database/tenant-schema/ddl-notice.ts'
import {
  createProjectScript,
  dropProjectScript,
} from '../../../../emulator/database/tenant-schema/install.ts'
import { lastCell, openTestEngine, runAsOwner, runAsRole } from '../../../support/test-engine.ts'

const SHOP = trusted.schemaName('proj_shop')
const USER = '0b9d2c9e-6a2f-4a0a-9d6c-0a2e0a7d2b11'
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.admin('cluster', script(createProjectScript(SHOP)))
})

afterAll(() => engine.close())

function as(role: string, text: string, claims = '{}') {
  return runAsRole(engine, SHOP, role, tenantScript(text), {
    settings: { search_path: '"proj_shop", extensions', 'request.jwt.claims': claims },
  })
}

describe('auth_* tables', () => {
  it.each(['anon', 'authenticated', 'service_role', 'rt_proj_shop'])(
    'are closed to %s',
    async (role) => {
      await expect(as(role, 'select * from auth_users')).rejects.toMatchObject({ code: '42501' })
    },
  )

  it.each(['auth_credentials', 'auth_sessions', 'auth_refresh_tokens', 'auth_one_time_codes'])(
    'hide the secrets of %s from the owner',
    async (table) => {
      await expect(runAsOwner(engine, SHOP, `select * from ${table}`)).rejects.toMatchObject({
        code: '42501',
      })
    },
  )

  it('let the owner read and reference users', async () => {
    const text =
      'create table profiles (id uuid primary key references auth_users (id) on delete cascade); select count(*) from auth_users'
    expect(lastCell(await runAsOwner(engine, SHOP, text))).toBe('0')
  })

  it.each([
    'drop table auth_users',
    'alter table auth_users add column x text',
    'delete from auth_users',
  ])('refuse the owner’s statement %s', async (text) => {
    await expect(runAsOwner(engine, SHOP, text)).rejects.toMatchObject({ code: '42501' })
  })

  it('let auth_admin insert users', async () => {
    const text = `insert into auth_users (email) values ('A@b.c') returning id`
    expect(lastCell(await as('auth_admin', text))).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('compare e-mail addresses case-insensitively', async () => {
    const text =
      "insert into auth_users (email) values ('D@e.f'); insert into auth_users (email) values ('d@E.F')"
    await expect(as('auth_admin', text)).rejects.toMatchObject({ code: '23505' })
  })
})

describe('a new table', () => {
  beforeAll(async () => {
    await runAsOwner(
      engine,
      SHOP,
      `create table plain (id serial, v text);
       create table if not exists plain (id integer);
       create table parted (a integer) partition by range (a);
       create table parted_1 partition of parted for values from (1) to (9);
       create table made_as as select 1 as a;
       select 1 as a into made_into;
       create view seen as select * from plain`,
    )
  })

  it.each(['plain', 'parted', 'parted_1', 'made_as', 'made_into', 'seen'])(
    'has the default grants at once: %s',
    async (name) => {
      const text = `select string_agg(role || ':' || verb, ' ' order by role, verb)
      from unnest(array['anon', 'authenticated', 'service_role']) role,
        unnest(array['select', 'insert', 'update', 'delete']) verb
      where has_table_privilege(role, '${name}', verb)`
      expect(lastCell(await runAsOwner(engine, SHOP, text))).toBe(
        'anon:select authenticated:delete authenticated:insert authenticated:select authenticated:update ' +
          'service_role:delete service_role:insert service_role:select service_role:update',
      )
    },
  )

  it('has row-level security off and a policy for service_role', async () => {
    const text = `select count(*) filter (where not relrowsecurity) || ' ' || count(polname)
      from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'service_role_all'
      where c.oid in ('plain'::regclass, 'parted'::regclass, 'parted_1'::regclass, 'made_as'::regclass, 'made_into'::regclass)`
    expect(lastCell(await runAsOwner(engine, SHOP, text))).toBe('5 5')
  })

  it('grants its sequence, so that authenticated callers can insert rows', async () => {
    expect(
      lastCell(await as('authenticated', "insert into plain (v) values ('x') returning id")),
    ).toBe('1')
  })
})

describe('the owner', () => {
  it.each([
    'drop schema proj_shop cascade',
    'alter schema proj_shop rename to x',
    'create schema y',
    'select platform.add_service_role_policy()',
    'alter event trigger platform_service_role_policy disable',
  ])('may not %s', async (text) => {
    await expect(runAsOwner(engine, SHOP, text)).rejects.toMatchObject({ code: '42501' })
  })

  it('may make temporary tables', async () => {
    expect(
      lastCell(
        await runAsOwner(engine, SHOP, 'create temp table t (a integer); select count(*) from t'),
      ),
    ).toBe('0')
  })
})

describe('the notice of a changed schema', () => {
  const told: string[] = []
  beforeAll(() => watchSchemaChanges(engine, (schemaName) => told.push(schemaName)))

  it.each([
    'create table changed_1 (a integer)',
    'set client_min_messages = error; alter table plain add column w text',
    "do $$ begin execute 'create view changed_2 as select 1' ; end $$",
    'drop view seen',
    'grant select on plain to anon',
    "comment on table plain is 'x'",
  ])('is sent for: %s', async (text) => {
    await runAsOwner(engine, SHOP, text)
    expect(told.splice(0)).toEqual([SHOP])
  })

  it.each([
    'select 1',
    "insert into plain (v) values ('y')",
    'create temp table tt (a integer); drop table tt',
  ])('is not sent for: %s', async (text) => {
    await runAsOwner(engine, SHOP, text)
    expect(told.splice(0)).toEqual([])
  })
})

describe('auth functions', () => {
  it.each([
    ['', { uid: undefined, role: undefined, email: undefined, jwt: undefined }],
    ['{broken', { uid: undefined, role: undefined, email: undefined, jwt: undefined }],
    ['[1]', { uid: undefined, role: undefined, email: undefined, jwt: undefined }],
    ['{"sub": 7}', { uid: undefined, role: undefined, email: undefined, jwt: '{"sub": 7}' }],
    [
      '{"sub": "apikey:anon", "role": "anon"}',
      {
        uid: undefined,
        role: 'anon',
        email: undefined,
        jwt: '{"sub": "apikey:anon", "role": "anon"}',
      },
    ],
    [
      `{"sub": "${USER}", "role": "rt_proj_shop", "email": "a@b.c", "sdb_role": "authenticated"}`,
      {
        uid: USER,
        role: 'authenticated',
        email: 'a@b.c',
        jwt: `{"sub": "${USER}", "role": "rt_proj_shop", "email": "a@b.c", "sdb_role": "authenticated"}`,
      },
    ],
  ])('read the claims %s', async (claims, expected) => {
    const result = await as(
      'anon',
      'select auth.uid(), auth.role(), auth.email(), auth.jwt()',
      claims,
    )
    expect(textRows(result.results[0])).toEqual([expected])
  })

  it.each(['', '{broken', '[]', '{}'])(
    'do not fail when the planner estimates them with the claims %s',
    async (claims) => {
      const text = `select count(*) from made_as where md5(a::text)::uuid = auth.uid() or auth.role() = a::text
      or auth.email() = a::text or auth.jwt() = to_jsonb(a)`
      expect(lastCell(await as('anon', text, claims))).toBe('0')
    },
  )

  it('are inlined by the planner', async () => {
    const result = await as(
      'anon',
      'explain (verbose, costs off) select * from made_as where auth.uid() is null',
    )
    expect(JSON.stringify(textRows(result.results[0]))).not.toContain('auth.uid')
  })
})

describe('creating and dropping a project', () => {
  it('can be repeated without an error', async () => {
    const twice = trusted.schemaName('proj_twice')
    await engine.admin('cluster', script(createProjectScript(twice)))
    await engine.admin('cluster', script(createProjectScript(twice)))
    await engine.admin('cluster', script(dropProjectScript(twice)))
    await expect(engine.admin('cluster', script(dropProjectScript(twice)))).resolves.toBeDefined()
  })
})
