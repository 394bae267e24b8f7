// Which tables a rehearsal on another platform copies rows of.
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
    ['nothing', 'create table more (id int)', []],
    [
      'what a table refers to, checks and is judged by',
      'update NOTES set id = 1',
      ['teams', 'members', 'notes', 'prices'],
    ],
    ['what the triggers of a table use', 'insert into tags values (1)', ['tags', 'audit']],
    [
      'what a view reads',
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
    ['a quoted name', 'truncate "Odd ""one"""', ['Odd "one"']],
    ['a name inside a block', 'do $$ begin delete from tags; end $$', ['tags', 'audit']],
  ])('are %s', (_, sql, tables) => {
    expect(tablesToRead(structure, [sql])).toEqual(tables)
  })
})
