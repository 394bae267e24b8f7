// From which tables a rehearsal copies rows of another platform.
import { describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { structureOf } from '../../../../emulator/database/template/structure.ts'
import { tablesToRead } from '../../../../emulator/workflow/migrations/pull/tables-to-read.ts'

const SCHEMA = trusted.schemaName('proj_shop')
const table = (name: string) => ({ key: name, name, kind: 'table', columns: [] })
const structure = structureOf(SCHEMA, {
  relations: [
    ...['teams', 'members', 'notes', 'tags', 'Odd "one"', 'audit', 'prices'].map(table),
    {
      key: 'v',
      name: 'open_notes',
      kind: 'view',
      columns: [],
      query: 'select id from proj_shop.notes',
    },
  ],
  constraints: [
    {
      table: 'notes',
      kind: 'foreign',
      definition: 'FOREIGN KEY (team) REFERENCES proj_shop.teams(id)',
    },
    { table: 'notes', kind: 'check', definition: 'CHECK (proj_shop.is_fair(price))' },
  ],
  routines: [
    {
      signature: 'proj_shop.is_member(integer)',
      definition: 'select from members where team = $1',
    },
    { signature: 'proj_shop.is_fair(integer)', definition: 'select $1 < max(price) from prices' },
    { signature: 'proj_shop.log()', definition: 'insert into audit values (1)' },
  ],
  triggers: [{ table: 'tags', definition: 'create trigger t after insert execute function log()' }],
  policies: [{ table: 'notes', using: 'proj_shop.is_member(team)' }],
})

describe('tables whose rows a rehearsal needs', () => {
  it.each([
    ['none for a new table', 'create table more (id int)', []],
    [
      'a table and the tables that its keys, checks and policies read',
      'update NOTES set id = 1',
      ['teams', 'members', 'notes', 'prices'],
    ],
    ['a table and the tables of its triggers', 'insert into tags values (1)', ['tags', 'audit']],
    [
      'the tables that a view reads',
      'create view two as select from open_notes',
      ['teams', 'members', 'notes', 'prices'],
    ],
    [
      'tables whose policies read a changed table',
      'delete from members',
      ['teams', 'members', 'notes', 'prices'],
    ],
    [
      'tables whose policies call a changed function',
      'alter function is_member(int) stable',
      ['teams', 'members', 'notes', 'prices'],
    ],
    ['a table with a quoted name', 'truncate "Odd ""one"""', ['Odd "one"']],
    ['a table named inside a DO block', 'do $$ begin delete from tags; end $$', ['tags', 'audit']],
  ])('are %s', (_, sql, tables) => {
    expect(tablesToRead(structure, [sql])).toEqual(tables)
  })
})
