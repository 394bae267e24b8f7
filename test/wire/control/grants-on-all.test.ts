// GRANT and REVOKE on all objects of a schema, which also contains the platform's tables (docs/wire/platform.md#grants-on-all).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { applyTo, ask, writeFixture } from '../../support/fixture-folder.ts'
import { groupWith, migrate, NOTES } from '../../support/migrations.ts'
import {
  createGroup,
  executeSql,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const SQL = `create table notes (id serial primary key, title text);
create view titles as select title from notes;
create function greet() returns text language sql as 'select ''hello''';
revoke execute on function greet() from public`
const SCHEMA = 'proj_north'
const ON_ALL = `do $$ begin
  execute format('grant truncate on all tables in schema %I to anon', current_schema());
end $$;`

interface Told {
  readonly severity: string | undefined
  readonly code: string | undefined
  readonly message: string | undefined
}

const LEFT_OUT = {
  severity: 'NOTICE',
  code: '01007',
  message: 'GRANT left out 8 tables of the platform',
}

const folder = temporaryFolder()
let at: TestEmulator
let tenant: TestTenant
let client: pg.Client
const told: Told[] = []

beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql: SQL }), 'north')
  const { groups } = await at.emulator.ready(at.url)
  const [north] = groups.flatMap(({ tenants }) => tenants)
  client = new pg.Client({ connectionString: north?.postgres_url ?? '' })
  // A server ends its sessions when the emulator closes.
  client.on('error', () => {})
  client.on('notice', ({ severity, code, message }) => told.push({ severity, code, message }))
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await at?.[Symbol.asyncDispose]()
  folder.remove()
})

/** Sends a text with statements. Returns the notices. @throws {pg.DatabaseError} */
async function noticesOf(text: string): Promise<readonly Told[]> {
  told.length = 0
  await client.query(text)
  return [...told]
}

async function holds(question: string): Promise<readonly unknown[]> {
  const { rows } = await client.query({ text: `select ${question}`, rowMode: 'array' })
  return rows[0] ?? []
}

/** Each role's privileges on the platform's objects, which no statement of an owner changes. */
async function platformPrivileges(): Promise<unknown> {
  const { rows } = await client.query(
    `select relname, relacl::text from pg_class
     where relnamespace = current_schema()::regnamespace and starts_with(relname, 'auth_') order by 1`,
  )
  return rows
}

describe('the Postgres port', () => {
  it('grants on all tables and views of the project, and states how many platform tables it left out', async () => {
    const before = await platformPrivileges()
    expect(await noticesOf(`grant truncate on all tables in schema ${SCHEMA} to anon`)).toEqual([
      LEFT_OUT,
    ])
    expect(
      await holds(
        `has_table_privilege('anon', 'notes', 'truncate'), has_table_privilege('anon', 'titles', 'truncate')`,
      ),
    ).toEqual([true, true])
    expect(await platformPrivileges()).toEqual(before)
    expect(await holds(`current_setting('client_min_messages')`)).toEqual(['notice'])
  })

  it('revokes on all tables', async () => {
    expect(
      await noticesOf(`revoke all on all tables in schema ${SCHEMA} from authenticated;`),
    ).toEqual([
      { severity: 'NOTICE', code: '01006', message: 'REVOKE left out 8 tables of the platform' },
    ])
    expect(await holds(`has_table_privilege('authenticated', 'notes', 'select')`)).toEqual([false])
    await client.query('grant select, insert, update, delete on notes, titles to authenticated')
  })

  it('grants on all sequences and functions', async () => {
    expect(await noticesOf(`grant update on all sequences in schema ${SCHEMA} to anon`)).toEqual([
      { ...LEFT_OUT, message: 'GRANT left out 1 sequence of the platform' },
    ])
    expect(await holds(`has_sequence_privilege('anon', 'notes_id_seq', 'update')`)).toEqual([true])
    expect(await noticesOf(`grant execute on all functions in schema ${SCHEMA} to anon`)).toEqual(
      [],
    )
    expect(await holds(`has_function_privilege('anon', 'greet()', 'execute')`)).toEqual([true])
  })

  it('grants on all tables inside blocks, functions and transactions', async () => {
    expect(await noticesOf(ON_ALL)).toEqual([LEFT_OUT])
    await client.query('begin')
    expect(await noticesOf(ON_ALL)).toEqual([LEFT_OUT])
    await client.query('rollback')
    await client.query(`create function grant_all() returns void language sql as
      'grant truncate on all tables in schema ${SCHEMA} to anon'`)
    expect(await noticesOf('select grant_all()')).toEqual(expect.arrayContaining([LEFT_OUT]))
    await client.query('drop function grant_all()')
    expect(
      await noticesOf(`create table more (id int);
        grant select on all tables in schema ${SCHEMA} to anon; drop table more`),
    ).toEqual([LEFT_OUT])
  })

  it('keeps the warnings of other grants', async () => {
    const usage = `grant usage on schema ${SCHEMA} to anon`
    const warning = {
      severity: 'WARNING',
      code: '01007',
      message: `no privileges were granted for "${SCHEMA}"`,
    }
    expect(await noticesOf(usage)).toEqual([warning])
    const both = await noticesOf(`${usage}; grant select on all tables in schema ${SCHEMA} to anon`)
    expect(both).toEqual(expect.arrayContaining([warning, LEFT_OUT]))
  })

  it('refuses a grant on a named table of the platform', async () => {
    for (const statement of [
      'grant select on auth_credentials to anon',
      'grant select on notes, auth_users, auth_sessions to anon',
      `grant select on auth_credentials to anon; grant select on all tables in schema ${SCHEMA} to anon`,
    ])
      await expect(client.query(statement)).rejects.toMatchObject({
        code: '42501',
        message: expect.stringMatching(/^permission denied for table auth_(credentials|sessions)$/),
      })
  })

  it('gives the owner no access to the platform’s tables', async () => {
    for (const table of ['auth_credentials', 'auth_refresh_tokens'])
      for (const statement of [
        `select 1 from ${table}`,
        `delete from ${table}`,
        `create index on ${table} ((1))`,
        `create trigger spy before insert on ${table} execute function greet()`,
        `create table linked (id uuid references ${table})`,
      ])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('ignores platform settings that the owner sets', async () => {
    const before = await platformPrivileges()
    const forged = { home: SCHEMA, messages: 'error', given: [], places: {} }
    await client.query(`set tenantry.grantor = 'proj_vendor_owner';
      set tenantry.reached = '${JSON.stringify(forged)}'; grant select on notes to anon`)
    expect(await noticesOf('revoke truncate on notes from anon')).toEqual([])
    expect(await platformPrivileges()).toEqual(before)
    await client.query('reset tenantry.grantor; reset tenantry.reached')
  })

  it('changes the owner’s default privileges, and those of no other role', async () => {
    await client.query(
      `alter default privileges in schema ${SCHEMA} grant truncate on tables to anon`,
    )
    await client.query('create table later (id int)')
    expect(await holds(`has_table_privilege('anon', 'later', 'truncate')`)).toEqual([true])
    await client.query(`drop table later;
      alter default privileges in schema ${SCHEMA} revoke truncate on tables from anon`)
    await expect(
      client.query(`alter default privileges for role anon grant select on tables to anon`),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('outside the Postgres port', () => {
  it('db/exec returns the notice as advice', async () => {
    const { body } = await executeSql(
      at,
      tenant,
      `grant truncate on all tables in schema ${SCHEMA} to anon`,
    )
    expect(body).toMatchObject({
      rows_affected: 0,
      avisos: [
        {
          tipo: 'objetos_da_plataforma_omitidos',
          objeto: '8 tables',
          mensagem:
            'GRANT left out 8 tables of the platform. The project’s own objects were changed.',
        },
      ],
    })
  })

  it('a migration step grants in the template and its tenants', async () => {
    await groupWith(at, 'stepped', ['stepped_a'])
    const steps = [NOTES, { file: '20260102000000_all.sql', sql: ON_ALL }]
    const applied: Json = await migrate(at, 'stepped', 'apply', { steps, tenants: 'all' })
    expect(applied).toMatchObject({ ok: true })
    for (const project of ['stepped', 'stepped_a'])
      expect(
        await ask(at, project, `select has_table_privilege('anon', 'notes', 'truncate')`),
      ).toEqual([['t']])
  })

  it('a fixture grants, and clones of its template have the grants', async () => {
    const path = writeFixture(folder.path, {
      'fixture.yaml': `groups:
  - name: granted
    template:
      slug: granted
      sql: [schema.sql]
    tenants:
      - slug: granted_a
`,
      'schema.sql': `${SQL};\n${ON_ALL}\n`,
    })
    expect(await applyTo(at, path)).toMatchObject({ applied: true, problems: [] })
    for (const project of ['granted', 'granted_a'])
      expect(
        await ask(at, project, `select has_table_privilege('anon', 'notes', 'truncate')`),
      ).toEqual([['t']])
  })
})
