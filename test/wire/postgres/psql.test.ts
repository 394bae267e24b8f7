// A project's Postgres address with psql: statements that users type, and the catalogue queries of backslash commands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import {
  type PostgresWorld,
  PSQL,
  PSQL_HINT,
  startPostgresWorld,
} from '../../support/postgres-world.ts'

const SQL = `
  create type mood as enum ('good', 'bad');
  create table people (id serial primary key, name text not null, mood mood default 'good');
  comment on table people is 'Everybody.';
  create index by_name on people (name);
  alter table people enable row level security;
  create policy everybody on people for select using (true);
  create view happy as select * from people where mood = 'good';
  create function greet(who text) returns text language sql as 'select ''hello '' || who';
  create function schemas() returns setof text language sql stable as
    'select nspname::text from pg_namespace where nspname like ''proj%''';`

describe.skipIf(PSQL === undefined)(`psql${PSQL_HINT}`, () => {
  let world: PostgresWorld
  beforeAll(async () => {
    world = await startPostgresWorld(SQL)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each([
    ['\\conninfo', /user "(proj_north_owner|\w+_north\.client)"/],
    ['\\dt', /proj_north \| people/],
    ['\\d people', /by_name.*btree \(name\)[\s\S]*POLICY "everybody" FOR SELECT/],
    ['\\d+ people', /nextval\('people_id_seq'/],
    ['\\dv', /happy/],
    ['\\df greet', /who text/],
    ['\\dT+', /mood/],
    ['\\dn', /proj_north/],
    ['\\dp people', /authenticated=arwd/],
    ['\\ds', /people_id_seq/],
    ['\\du', /proj_north_owner/],
    ['\\dl', /Large objects/],
    ['\\dy', /Event/],
    ['\\ddp', /proj_north_owner/],
    ['\\d *.*', /proj_north\.people/],
    ['\\sf greet', /CREATE OR REPLACE FUNCTION/],
    ['\\dx', /pgcrypto/],
    ['\\encoding', /UTF8/],
    ['\\timing\nselect 1;', /Time: /],
  ])('answers %s', async (command, expected) => {
    const { code, out, err } = await world.psql(`${command}\n`)
    expect(err).toBe('')
    expect(out).toMatch(expected)
    expect(out).not.toContain('south')
    expect(code).toBe(0)
  })

  it('shares its catalogues with functions over REST and with db/exec', async () => {
    expect(await world.rest('/rpc/schemas')).toEqual(['proj_north'])
    const [, payload = ''] = world.tenant.anonKey.split('.')
    const { project_id: project } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { body } = await world.at.call('POST', `/platform/v1/projects/${project}/db/exec`, {
      credential: world.at.session,
      body: { sql: `select relname from pg_class where relname = 'people'` },
    })
    expect(body.rows).toEqual([{ relname: 'people' }])
  })

  onlyEmbedded('a server’s logins have settings').it('answers \\drds', async () => {
    const outcome = await world.psql('\\drds\n')
    expect(outcome).toEqual({ code: 0, out: '', err: 'Did not find any settings.\n' })
  })

  it('loads rows with COPY, and returns the same rows', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index + 1000}\tperson ${index}\n`)
    const loaded = await world.psql(`copy people (id, name) from stdin;\n${lines.join('')}\\.\n`)
    expect(loaded).toEqual({ code: 0, out: 'COPY 20000\n', err: '' })
    const { out } = await world.psql(
      'copy (select id, name from people where id >= 1000 order by id) to stdout;\n',
    )
    expect(out).toBe(lines.join(''))
  })

  it('loads rows from a file inside a transaction, while a REST request waits', async () => {
    const reading = world.rest('/people?id=in.(1,2)&select=name&order=id')
    const { out, err } = await world.psql(
      'begin;\n\\copy people (id, name) from stdin\n1\tana\n2\tb, c\n\\.\ncommit;\nselect name from people where id in (1, 2) order by id;\n',
      '-At',
    )
    expect(err).toBe('')
    expect(out).toMatch(/COPY 2\nCOMMIT\nana\nb, c\n$/)
    await reading
    expect(await world.rest('/people?id=in.(1,2)&select=name&order=id')).toEqual([
      { name: 'ana' },
      { name: 'b, c' },
    ])
  })

  it('reports the error in a line of COPY, and continues with the next statement', async () => {
    const { out, err } = await world.psql(
      'copy people (id, name) from stdin;\nx\ty\n\\.\nselect 42;\n',
      '-At',
    )
    expect(err).toMatch(/22P02: invalid input syntax for type integer: "x"/)
    expect(out).toBe('42\n')
  })

  it('shows notices and errors with their position', async () => {
    const { err } = await world.psql(
      "do $$ begin raise notice 'look here'; end $$;\nselect nothing from people;\n",
    )
    expect(err).toMatch(/NOTICE: {2}00000: look here/)
    expect(err).toMatch(/ERROR: {2}42703: column "nothing" does not exist\nLINE 1: select nothing/)
  })

  it('does not show the platform’s own notices of schema changes', async () => {
    expect(await world.psql('create table quiet (id int);\ndrop table quiet;\n')).toEqual({
      code: 0,
      out: 'CREATE TABLE\nDROP TABLE\n',
      err: '',
    })
  })
})
