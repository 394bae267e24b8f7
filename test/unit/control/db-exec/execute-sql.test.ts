// db/exec against the engine: one transaction as the owner, its last result as JSON (docs/wire/platform.md#db-exec).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { type Engine, textRows } from '../../../../emulator/database/engine.ts'
import { script, sql } from '../../../../emulator/database/sql.ts'
import { watchSchemaChanges } from '../../../../emulator/database/tenant-schema/ddl-notice.ts'
import type { ExecuteSql, SqlOutcome } from '../../../../emulator/platform/owner-sql/sql-outcome.ts'
import type { Project } from '../../../../emulator/platform/projects/project.ts'
import { createSqlExecutor } from '../../../../emulator/services/control/db-exec/execute-sql.ts'
import { openTestEngine } from '../../../support/test-engine.ts'

const PROJECT: Project = {
  id: trusted.projectId('0b9d2c9e-6a2f-4a0a-9d6c-0a2e0a7d2b11'),
  slug: trusted.slug('shop'),
  schemaName: trusted.schemaName('proj_shop'),
  name: 'Shop',
  kind: 'project',
  state: 'active',
  planTier: 'pro',
  keyVersion: 1,
  ownerId: undefined,
  sourceProjectId: undefined,
  frozenAt: undefined,
  createdAt: epochMillis(0),
}

let engine: Engine
let execute: ExecuteSql
let changes = 0

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  for (const schemaName of ['proj_shop', 'proj_other'])
    await engine.projects.create(trusted.schemaName(schemaName))
  watchSchemaChanges(engine, () => changes++)
  execute = createSqlExecutor({ engine, maxResultBytes: 1 << 20 })
})

beforeEach(() => {
  changes = 0
})

afterAll(() => engine.close())

function exec(text: string): Promise<SqlOutcome> {
  return execute(PROJECT, text, new AbortController().signal)
}

describe('results', () => {
  it('have JSON values that fit the SQL types', async () => {
    const text = `select 1 as i, 9007199254740993 as big, 7::bigint as small, 1.5::float8 as f, 'NaN'::float8 as nan,
      1.50::numeric as n, true as b, '{"a": [1]}'::jsonb as j, null as nothing, array[1, 2] as list,
      '2026-01-01'::date as d`
    expect(await exec(text)).toMatchObject({
      kind: 'done',
      columns: ['i', 'big', 'small', 'f', 'nan', 'n', 'b', 'j', 'nothing', 'list', 'd'],
      rows: [
        {
          i: 1,
          big: '9007199254740993',
          small: 7,
          f: 1.5,
          nan: 'NaN',
          n: '1.50',
          b: true,
          j: { a: [1] },
          nothing: null,
          list: [1, 2],
          d: '2026-01-01',
        },
      ],
      rowsAffected: 1,
    })
  })

  it('have arrays of every depth and type as JSON lists', async () => {
    const text = `select array[[1, 2], [3, null]] as nested, array['a,b', '{"x"}', 'NULL', null, ''] as texts,
      array[true, false] as flags, array['{"a": [1]}'::jsonb, 'null'] as documents, array[1.50] as decimals,
      array['2026-01-01 10:00+00'::timestamptz] as moments, '[0:1]={7,8}'::int[] as bounds, '{}'::int[] as empty,
      array[box '(1,1),(0,0)', box '(2,2),(1,1)'] as boxes, int4range(1, 5) as range, array[int4range(1, 5)] as ranges,
      '1 2'::int2vector as vector, 'null'::jsonb as nothing, array[9007199254740993, 7] as bigs`
    expect(await exec(text)).toMatchObject({
      rows: [
        {
          nested: [
            [1, 2],
            [3, null],
          ],
          texts: ['a,b', '{"x"}', 'NULL', null, ''],
          flags: [true, false],
          documents: [{ a: [1] }, null],
          decimals: ['1.50'],
          moments: ['2026-01-01 10:00:00+00'],
          bounds: [7, 8],
          empty: [],
          boxes: ['(1,1),(0,0)', '(2,2),(1,1)'],
          range: '[1,5)',
          ranges: ['[1,5)'],
          vector: '1 2',
          nothing: null,
          bigs: ['9007199254740993', 7],
        },
      ],
    })
  })

  it('have composite values as objects, also with the project’s own types inside', async () => {
    const text = `
      create type mood as enum ('glad', 'sad, so sad');
      create domain positive as int check (value > 0);
      create type point_of as (x int, label text, moods mood[], size positive);
      create table spots (id int, at point_of, empty point_of, many point_of[]);
      insert into spots values (1, (2, 'a "b", c', '{glad,"sad, so sad"}', 3), null, null);
      update spots set many = array[at, null];
      select id, at, empty, many, s as whole, (at).size, array[5::positive] as sizes, row(1, 'x') as anonymous
      from spots s`
    const at = { x: 2, label: 'a "b", c', moods: ['glad', 'sad, so sad'], size: 3 }
    const whole = { id: 1, at, empty: null, many: [at, null] }
    expect(await exec(text)).toMatchObject({
      rows: [{ ...whole, whole, size: 3, sizes: [5], anonymous: '(1,x)' }],
    })
  })

  it('contain the rows of the last statement', async () => {
    expect(await exec('select 1 as a; select 2 as b')).toMatchObject({
      columns: ['b'],
      rows: [{ b: 2 }],
    })
  })

  it('count the changed rows', async () => {
    await exec('create table counted (a integer)')
    expect(await exec('insert into counted values (1), (2), (3)')).toMatchObject({
      columns: [],
      rows: [],
      rowsAffected: 3,
    })
  })

  it('contain the returned rows of a change', async () => {
    await exec('create table returned (a integer)')
    expect(await exec('insert into returned values (1) returning a')).toMatchObject({
      rows: [{ a: 1 }],
      rowsAffected: 1,
    })
  })

  it.each(['', '-- nothing', 'create table ddl_only (a integer)', ';'])(
    'are empty for: %s',
    async (text) => {
      expect(await exec(text)).toMatchObject({
        kind: 'done',
        columns: [],
        rows: [],
        rowsAffected: 0,
      })
    },
  )

  it('contain at most 1000 rows', async () => {
    const outcome = await exec('select * from generate_series(1, 5000) as n')
    expect(outcome.kind === 'done' && outcome.rows.length).toBe(1000)
  })

  it('come from statements that run as the owner role', async () => {
    expect(await exec('select current_user as u, session_user as s')).toMatchObject({
      rows: [{ u: 'proj_shop_owner', s: 'proj_shop_owner' }],
    })
  })
})

describe('errors', () => {
  it.each([
    ['select 1;\n\nselect * from missing', '42P01', 3],
    ['selec', '42601', 1],
    ["select 'é😀';\ngrant select on missing_too to public;\nselect nothing", '42P01', 2],
    ["select 'é😀';\nselect nothing", '42703', 2],
    ['select 1/0', '22012', 1],
    ['select 1;\n\n-- a comment\nselect 1/0;\nselect 2', '22012', 4],
    [
      'create table later (a integer unique deferrable initially deferred);\ninsert into later values (1), (1)',
      '23505',
      undefined,
    ],
    ['create extension if not exists plpython3u', '0A000', 1],
  ])('contain the SQL code and the line: %s', async (text, code, line) => {
    expect(await exec(text)).toMatchObject({ kind: 'sqlError', code, line })
  })

  it('roll back the whole call', async () => {
    await exec('create table undone (a integer); select 1/0')
    expect(await exec('select * from undone')).toMatchObject({ code: '42P01' })
  })

  it.each([
    ['begin', 'transaction_control_blocked'],
    ['set role anon', 'role_change_blocked'],
    ['select * from proj_other.auth_users', 'system_schema_protected'],
  ])('are thrown for refused SQL: %s', async (text, code) => {
    await expect(exec(text)).rejects.toMatchObject({ code })
  })

  it.each([
    "do $$ begin execute 'set' || ' role postgres'; end $$",
    "select set_config('ro' || 'le', 'postgres', true)",
    "do $$ begin execute 'select * from ' || 'proj' || '_other.auth_users'; end $$",
    "select 'proj_other.auth_users'::regclass::text, query_to_xml('select * from ' || 'proj_other' || '.auth_users', true, true, '')",
  ])('have the engine’s code 42501 for SQL that hides its purpose: %s', async (text) => {
    expect(await exec(text)).toMatchObject({ kind: 'sqlError', code: '42501' })
  })

  it('have the code 2D000 for a DO block that commits', async () => {
    expect(await exec('do $$ begin commit; end $$')).toMatchObject({
      kind: 'sqlError',
      code: '2D000',
    })
  })

  it('have the code 57014 when the caller disconnects', async () => {
    const abort = new AbortController()
    const pending = execute(PROJECT, 'do $$ begin loop null; end loop; end $$', abort.signal)
    abort.abort()
    expect(await pending).toMatchObject({ kind: 'sqlError', code: '57014' })
  })
})

describe('advice', () => {
  it('reports tables without row-level security', async () => {
    const outcome = await exec(
      'create table open_one (a integer); create table closed_one (a integer); alter table closed_one enable row level security',
    )
    expect(outcome).toMatchObject({ advice: [{ kind: 'rowSecurityOff', subject: 'open_one' }] })
  })

  it('reports a grant to PUBLIC that was converted to narrower grants', async () => {
    await exec(
      'create table shared_one (a integer); alter table shared_one enable row level security',
    )
    expect(await exec('grant insert on shared_one to public')).toMatchObject({
      advice: [{ kind: 'grantToPublicConverted', subject: 'shared_one' }],
    })
  })
})

describe('schema changes', () => {
  it.each([
    'create table heard (a integer)',
    'do $$ begin create table heard_too (a integer); end $$',
  ])('are announced: %s', async (text) => {
    await exec(text)
    expect(changes).toBe(1)
  })

  it.each(['select 1', 'create table unheard (a integer); select 1/0'])(
    'are not announced when nothing changed: %s',
    async (text) => {
      await exec(text)
      expect(changes).toBe(0)
    },
  )
})

describe('statements that only the platform may run', () => {
  it.each([
    'create extension if not exists pgcrypto',
    'create extension if not exists "uuid-ossp" with schema extensions',
    'create schema if not exists proj_shop',
    'grant usage on schema proj_shop to anon, authenticated',
  ])('are allowed when they change nothing: %s', async (text) => {
    expect(await exec(text)).toMatchObject({ kind: 'done' })
  })

  it('do not include the owner’s comment on the project’s schema', async () => {
    await exec("comment on schema proj_shop is 'it''s ours'")
    const [result] = await engine.admin(
      'cluster',
      script([sql`select obj_description('proj_shop'::regnamespace, 'pg_namespace') as c`]),
    )
    expect(textRows(result)).toEqual([{ c: "it's ours" }])
  })
})
