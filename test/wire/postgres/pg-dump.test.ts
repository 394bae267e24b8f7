// The Postgres port with pg_dump of PostgreSQL 18: the content of a project's dump, and its restore.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import {
  CLIENT_18,
  CLIENT_18_HINT,
  type ClientProgram,
  runClient18,
} from '../../support/postgres-client-18.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `
  create type mood as enum ('good', 'bad');
  create domain short_text as text check (length(value) < 100);
  create table people (
    id serial primary key,
    name short_text not null,
    nick extensions.citext,
    mood mood default 'good',
    owner uuid default auth.uid(),
    account uuid references auth_users (id) on delete set null);
  comment on table people is 'Everybody.';
  create index by_name on people (lower(name));
  alter table people enable row level security;
  create policy own_people on people for select to authenticated using (owner = auth.uid());
  create table visits (id integer generated always as identity primary key, person integer references people (id));
  create view happy with (security_invoker = true) as select id, name from people where mood = 'good';
  create materialized view moods as select mood, count(*) from people group by mood;
  create function greet(who text) returns text language sql as 'select ''hello '' || who';
  create function touch() returns trigger language plpgsql as 'begin new.name := trim(new.name); return new; end';
  create trigger on_touch before insert on people for each row execute function touch();
  create sequence tickets start 100;
  create statistics name_mood (dependencies) on name, mood from people;`

const ROWS = `insert into people (name, nick) values (' Ada ', 'A'), ('Bob', 'B');
  insert into visits (person) values (1), (2), (2);
  refresh materialized view moods;
  select nextval('tickets');`

// Query that returns the restored rows and sequences as text.
const DESCRIBE = `
  select 'row ' || p::text from people p union all select 'visit ' || v::text from visits v
  union all select 'mood ' || m::text from moods m union all select 'happy ' || h::text from happy h
  union all select 'ticket ' || last_value from tickets
  union all select greet('you')
  union all select 'policy ' || tablename || ' ' || policyname || ' ' || roles::text || coalesce(qual, '') from pg_policies
  union all select 'index ' || indexdef from pg_indexes where tablename in ('people', 'visits')
  union all select 'constraint ' || conrelid::regclass || pg_get_constraintdef(oid) from pg_constraint
    where conrelid in ('people'::regclass, 'visits'::regclass)
  union all select 'grant ' || table_name || ' ' || grantee || ' ' || privilege_type
    from information_schema.table_privileges where table_schema = 'proj_north' and table_name !~ '^auth_'
  union all select 'comment ' || obj_description('people'::regclass)
  union all select 'owner ' || relname || ' ' || pg_get_userbyid(relowner) from pg_class
    where relnamespace = 'proj_north'::regnamespace
  order by 1;`

const onServer = it.skipIf(TEST_DATABASE_URL === undefined)
const onEmbedded = it.skipIf(TEST_DATABASE_URL !== undefined)

describe.skipIf(CLIENT_18 === undefined)(`pg_dump 18${CLIENT_18_HINT}`, () => {
  let world: PostgresWorld
  let fresh: PostgresWorld
  let folder: string
  let before: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-dump-'))
    world = await startPostgresWorld(SQL)
    const { err } = await runClient18('psql', ['-X', '-q', world.url], ROWS)
    expect(err).toBe('')
    // Objects of another tenant, whose names must not appear in the dump.
    await runClient18(
      'psql',
      ['-X', '-q', world.otherUrl],
      'create table zebra_table (zebra_column text)',
    )
    fresh = await startPostgresWorld('select 1')
    before = await describeProject(world.url)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await fresh[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    [[], /CREATE TABLE proj_north\.people[\s\S]*COPY proj_north\.visits/],
    [['-n', 'proj_north'], /CREATE TABLE proj_north\.people/],
    [['-t', 'people'], /CREATE TABLE proj_north\.people/],
    [['--schema-only'], /CREATE FUNCTION proj_north\.greet/],
    [['--data-only'], /COPY proj_north\.people/],
    [['--clean', '--if-exists'], /DROP TABLE IF EXISTS proj_north\.people/],
    [['--statistics'], /pg_restore_relation_stats/],
  ])('dumps a project with %j', async (options, expected) => {
    const { code, out, err } = await runClient18('pg_dump', [...options, world.url])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(expected)
    expect(out).not.toMatch(/zebra|south|platform\./)
  })

  it('restores a plain dump into a fresh project', async () => {
    const file = join(folder, 'plain.sql')
    await succeed('pg_dump', '-f', file, world.url)
    await succeed('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, fresh.url)
    expect(await describeProject(fresh.url)).toBe(before)
  })

  it('restores a dump in the custom format over existing objects', async () => {
    const file = join(folder, 'custom.dump')
    await succeed('pg_dump', '-Fc', '-f', file, world.url)
    await succeed('psql', '-X', '-q', '-c', 'delete from visits', fresh.url)
    await succeed('pg_restore', '--clean', '--if-exists', '-e', '-d', fresh.url, file)
    expect(await describeProject(fresh.url)).toBe(before)
  })

  onServer('dumps and restores with several jobs', async () => {
    const dump = join(folder, 'jobs')
    await succeed('pg_dump', '-Fd', '-j', '3', '-f', dump, world.url)
    await succeed('psql', '-X', '-q', '-c', 'delete from visits', fresh.url)
    await succeed('pg_restore', '--clean', '--if-exists', '-j', '3', '-d', fresh.url, dump)
    expect(await describeProject(fresh.url)).toBe(before)
  })

  onEmbedded('says to leave -j out', async () => {
    const args = ['-Fd', '-j', '2', '-f', join(folder, 'refused'), world.url]
    const { code, err } = await runClient18('pg_dump', args)
    expect(err).toContain(
      'ERROR:  the embedded engine runs one session at a time, so it exports no snapshot',
    )
    expect(err).toContain('HINT:  Leave the option -j out.')
    expect(code).toBe(1)
  })

  it('restores a plain dump with --clean over existing objects', async () => {
    const file = join(folder, 'clean.sql')
    await succeed('pg_dump', '--clean', '--if-exists', '-f', file, world.url)
    await succeed('psql', '-X', '-q', '-c', 'delete from visits', fresh.url)
    await succeed('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, fresh.url)
    expect(await describeProject(fresh.url)).toBe(before)
  })

  it('restores a dump of rows into existing tables', async () => {
    const file = join(folder, 'rows.sql')
    await succeed('pg_dump', '--data-only', '-f', file, world.url)
    await succeed('psql', '-X', '-q', '-c', 'truncate people, visits', fresh.url)
    await succeed('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, fresh.url)
    expect(await describeProject(fresh.url)).toBe(before)
  })
})

async function succeed(program: ClientProgram, ...args: string[]): Promise<void> {
  const { code, err } = await runClient18(program, args)
  expect(err).toBe('')
  expect(code).toBe(0)
}

async function describeProject(url: string): Promise<string> {
  const { out, err } = await runClient18('psql', ['-X', '-At', '-c', DESCRIBE, url])
  expect(err).toBe('')
  return out
}
