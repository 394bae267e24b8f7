// Which statements change rows or lose data. These statements must run; comparing the resulting structure is not enough.
import { describe, expect, it } from 'vitest'
import { loadSqlParser } from '../../../emulator/database/sql-parser.ts'
import { mayChangeData } from '../../../emulator/workflow/migrations/redo/data-statements.ts'

const parser = await loadSqlParser()

describe('mayChangeData', () => {
  it.each([
    ['insert into a values (1)', true],
    ['with x as (delete from a returning *) select * from x', true],
    ['select fill()', true],
    ['do $$ begin end $$', true],
    ['truncate a', true],
    ['create table b as select * from a', true],
    ['create materialized view b as select * from a', false],
    ['drop table a', true],
    ['drop view a', false],
    ['drop view a cascade', true],
    ['drop type a', true],
    ['drop policy p on a', false],
    ['alter table a drop column b', true],
    ['alter table a drop constraint b', false],
    ['alter table a drop constraint b cascade', true],
    ['alter table a alter column b type text', true],
    ['alter type a drop attribute b', true],
    ['alter table a rename column b to c', true],
    ['alter table a add column b int default 1', false],
    ['create table a (b int); create index on a (b)', false],
    ['create function f() returns int language sql as $$ delete from a; select 1 $$', false],
    ['create table (', false],
  ])('for %s returns %s', (text, expected) => {
    expect(mayChangeData(parser, text)).toBe(expected)
  })
})
