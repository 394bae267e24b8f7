// What the emulator finds in an owner's script before it runs (docs/wire/platform.md#db-exec).
import { beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { loadSqlParser, type SqlParser } from '../../../emulator/database/sql-parser.ts'
import {
  type Analysis,
  analyseScript,
} from '../../../emulator/platform/owner-sql/analyse-script.ts'

const OWN = trusted.schemaName('proj_shop')
let parser: SqlParser

beforeAll(async () => {
  parser = await loadSqlParser()
})

function analyse(text: string): Analysis {
  return analyseScript(parser, text, OWN)
}

/** Returns the script that is sent, without the query that the emulator adds at the end. */
function sent(text: string): string {
  const analysis = analyse(text)
  return analysis.kind === 'ready'
    ? analysis.text.replace(/\n;select c\.relname[\s\S]*$/, '')
    : JSON.stringify(analysis)
}

describe('analyseScript', () => {
  it.each([
    'begin',
    'BEGIN; select 1; COMMIT',
    'start transaction',
    'commit and chain',
    'rollback',
    'savepoint a',
    'release savepoint a',
    'rollback to savepoint a',
    "prepare transaction 'x'",
    'select 1; end',
  ])('refuses transaction control: %s', (text) => {
    expect(analyse(text)).toMatchObject({ refusal: { code: 'transaction_control_blocked' } })
  })

  it.each([
    'set role postgres',
    'SET LOCAL ROLE postgres',
    'set session role none',
    'set /* x */ role = anon',
    'set "role" to anon',
    'reset role',
    'set session authorization postgres',
    'set session authorization default',
    'reset session authorization',
    "select set_config('role', 'postgres', true)",
    "select pg_catalog.set_config('ROLE', 'postgres', true)",
    "select set_config(setting_name => 'session_authorization', new_value => 'x', is_local => true)",
    "with x as (select set_config('role', 'postgres', true)) select * from x",
    "create function f() returns int language sql set role = postgres as 'select 1'",
    'alter role proj_shop_owner set role = postgres',
    'do $$ begin set local role postgres; end $$',
    'do $$ begin reset role; end $$',
    "do $$ begin execute 'set role postgres'; end $$",
    "do $$ begin perform set_config('role', 'postgres', true); end $$",
    'create function f() returns void language plpgsql as $f$ begin set session authorization postgres; end $f$',
  ])('refuses a change of role: %s', (text) => {
    expect(analyse(text)).toMatchObject({ refusal: { code: 'role_change_blocked' } })
  })

  it.each([
    'select * from proj_other.items',
    'select * from "proj_other".items',
    'select * from U&"proj\\005fother".items',
    'insert into other.t values (1)',
    'update public.t set a = 1',
    'delete from platform.t',
    'select * from pg_catalog.pg_class',
    'select * from information_schema.tables',
    "select pg_catalog.pg_read_file('x')",
    "select 'x'::pg_catalog.text",
    'select 1 operator(pg_catalog.+) 1',
    'select proj_other.f(1)',
    'select proj_other.t.a from t',
    "select 'a'::other.mood",
    'select * from auth.users',
    'create function auth.f() returns int language sql as $$ select 1 $$',
    'create table other.t (a int)',
    'create table t (a other.mood)',
    'create table t (a int default other.f())',
    'create table t (a int references other.t)',
    'create view v as select * from other.t',
    'create view other.v as select 1',
    'create trigger t before insert on x for each row execute function other.f()',
    'create policy p on other.t using (true)',
    'create policy p on t using (exists (select from other.t))',
    'drop table other.t',
    'drop table t, other.t',
    'drop function other.f(int)',
    'drop policy p on other.t',
    'alter table other.t add column a int',
    'alter table t set schema other',
    'alter table other.t rename to x',
    'alter function other.f() owner to x',
    "comment on table other.t is 'x'",
    "comment on column other.t.a is 'x'",
    'grant select on other.t to anon',
    'grant select on all tables in schema other to anon',
    'grant usage on schema other to anon',
    'alter default privileges in schema other grant select on tables to anon',
    'create schema other',
    'drop schema public cascade',
    'alter schema proj_other rename to x',
    "comment on schema public is 'x'",
    'lock table other.t',
    'truncate other.t',
    'copy other.t to stdout',
    'call other.p()',
    "create type other.t as enum ('a')",
    'explain select * from other.t',
    'select * from t where a in (select b from other.t)',
    'do $$ begin perform * from proj_other.items; end $$',
    'create function f() returns int language sql as $$ select count(*) from pg_catalog.pg_authid $$',
    'create function f() returns int language sql begin atomic select a from other.t; end',
  ])('refuses a foreign schema: %s', (text) => {
    expect(analyse(text)).toMatchObject({ refusal: { code: 'system_schema_protected' } })
  })

  it.each([
    'select * from proj_shop.items',
    'select * from "proj_shop".items limit 1',
    'select auth.uid(), (auth.jwt() ->> $$role$$)',
    'select extensions.crypt($$a$$, $$b$$)',
    'select * from pg_tables',
    'select items.name, i.* from items, items i',
    'select (a).b.c from t',
    "select extract(year from now()), position('a' in 'b'), 'a' like 'b' escape 'c', now() at time zone 'UTC'",
    "select 1::int, 'x'::varchar(3), interval '1 day', cast(1 as double precision)",
    "insert into t values ('set role postgres; proj_other.items')",
    'create temp table x (a int)',
    'create table pg_temp.x (a int)',
    'declare c cursor for select 1',
    'set local statement_timeout = 1000',
    'set transaction isolation level serializable',
    'reset all',
    "select set_config('my.role', 'x', true)",
    'create schema if not exists proj_shop',
    "do $$ begin raise notice 'we never set role here'; end $$",
    'create function f(a items.name%type) returns int language sql as $$ select 1 $$',
    'drop policy p on items',
    "comment on column items.name is 'x'",
    'create extension if not exists pgcrypto with schema extensions',
    '',
    '-- nothing',
  ])('accepts: %s', (text) => {
    expect(analyse(text)).toMatchObject({ kind: 'ready' })
  })

  it('names the refused schema and the text to write instead', () => {
    expect(analyse('select * from pg_catalog.pg_class')).toEqual({
      kind: 'refused',
      refusal: {
        code: 'system_schema_protected',
        message: 'The SQL names the schema "pg_catalog", which does not belong to this project.',
        hint: 'Use catalogue views without the schema: pg_tables, pg_policies, pg_class.',
      },
    })
  })
})

describe('analyseScript with broken SQL', () => {
  it.each([
    ['selec 1', 1, 'syntax error at or near "selec"'],
    ['select 1;\n\n  selec é', 3, 'syntax error at or near "selec"'],
    ["select '😀é', 1;\nselect from where", 2, 'syntax error at or near "where"'],
    ['select (1', 1, 'syntax error at end of input'],
  ])('reports the line of the syntax error: %s', (text, line, message) => {
    expect(analyse(text)).toEqual({ kind: 'broken', code: '42601', message, line })
  })

  it('refuses SQL that is nested deeper than the parser allows with 54001', () => {
    expect(analyse(`select ${'1+'.repeat(200_000)}1`)).toMatchObject({
      kind: 'broken',
      code: '54001',
    })
  })

  it('still parses other SQL after SQL that was nested too deeply', () => {
    analyse(`select ${'('.repeat(50_000)}1`)
    expect(analyse('select 1')).toMatchObject({ kind: 'ready' })
  })

  it('answers a zero byte with 22021', () => {
    expect(analyse('select 1\0')).toMatchObject({ kind: 'broken', code: '22021' })
  })
})

describe('the row limit', () => {
  it.each([
    ['select * from t', 'select * from t\nlimit 1000'],
    ['select * from t;', 'select * from t\nlimit 1000;'],
    ['select * from t -- all\n;', 'select * from t -- all\n\nlimit 1000;'],
    ['select 1; select * from t -- é', 'select 1; select * from t -- é\nlimit 1000'],
    ["select 'é' ; select 2 ;", "select 'é' ; select 2 \nlimit 1000;"],
    ['select 1 union select 2 order by 1', 'select 1 union select 2 order by 1\nlimit 1000'],
    ['select * from t for update', 'select * from t for update\nlimit 1000'],
    ['select * from t offset 5', 'select * from t offset 5\nlimit 1000'],
    ['values (1), (2)', 'values (1), (2)\nlimit 1000'],
    ['table t', 'table t\nlimit 1000'],
    ['(select 1)', '(select 1)\nlimit 1000'],
    [
      'with a as (select 1 limit 2) select * from a',
      'with a as (select 1 limit 2) select * from a\nlimit 1000',
    ],
  ])('is added to the last SELECT: %s', (text, expected) => {
    expect(sent(text)).toBe(expected)
  })

  it.each([
    'select * from t limit 5',
    'select * from t fetch first 3 rows only',
    '(select * from t limit 5)',
    'select 1 into x',
    'select 1 into x union select 2',
    'select 1; insert into t values (1)',
    'insert into t select * from s returning *',
    'explain select * from t',
    'create view v as select * from t',
  ])('is not added to: %s', (text) => {
    expect(sent(text)).toBe(text)
  })
})

describe('grants to PUBLIC', () => {
  it.each([
    ['grant select on t to public', 'grant select on t to anon, authenticated'],
    [
      'GRANT SELECT ON t TO PUBLIC, service_role',
      'GRANT SELECT ON t TO anon, authenticated, service_role',
    ],
    [
      'select \'é\'; grant select on t to "public";',
      "select 'é'; grant select on t to anon, authenticated;",
    ],
    [
      'alter default privileges grant select on tables to public',
      'alter default privileges grant select on tables to anon, authenticated',
    ],
  ])('are limited to anon and authenticated: %s', (text, expected) => {
    expect(sent(text)).toBe(expected)
  })

  it('can be revoked', () => {
    const text = 'revoke select on t from public'
    expect(sent(text)).toBe(text)
  })

  it('are reported as advice', () => {
    expect(analyse('grant execute on function f(int) to public')).toMatchObject({
      advice: [{ kind: 'grantToPublicConverted', subject: 'f' }],
    })
  })
})

describe('the project’s own schema', () => {
  it('stays the default schema when the script creates it', () => {
    expect(sent('create schema if not exists proj_shop;\nselect 1')).toBe(
      `${' '.repeat(37)};\nselect 1\nlimit 1000`,
    )
  })

  it('gets the script’s comment through the platform', () => {
    expect(analyse("comment on schema proj_shop is 'it''s ours'")).toMatchObject({
      schemaComment: "it's ours",
    })
  })
})

describe('created tables', () => {
  it('are listed in the check at the end of the script', () => {
    const analysis = analyse(
      'create table a (i int); select 1 as x into b; create table c as select 1; create temp table d (i int)',
    )
    expect(analysis).toMatchObject({ text: expect.stringContaining("array['a', 'b', 'c']") })
  })
})

describe('analyseScript with large scripts', () => {
  it('reads an expression of thousands of terms', () => {
    expect(analyse(`select ${'1 + '.repeat(5_000)}1`).kind).toBe('ready')
    expect(analyse(`select ${'not '.repeat(5_000)}true`).kind).toBe('ready')
  })

  it('finds refused parts deep inside an expression', () => {
    expect(analyse(`select ${'1 + '.repeat(3_000)}(select n from proj_bank.notes)`)).toMatchObject({
      refusal: { code: 'system_schema_protected' },
    })
  })

  it('reports correct positions in a script of thousands of statements with characters beyond ASCII', () => {
    const many = `select 'é😀';\n`.repeat(5_000)
    expect(sent(`${many}grant select on notes to public; select 1`)).toBe(
      `${many}grant select on notes to anon, authenticated; select 1\nlimit 1000\n`.trimEnd(),
    )
  })
})
